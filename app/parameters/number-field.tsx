"use client";

import { useState } from "react";
import { TextField } from "../ui/field";
import { typeOf } from "./parameter";
import { type ParameterProps, placeholderOf, labelAndHintOf } from "./parameter-props";

/** Renders a number field that keeps incomplete input such as "-" or "1e". */
export function NumberField({ parameter, value, onChange, error }: ParameterProps) {
  const { schema, required } = parameter;
  const [entered, setEntered] = useState(value === undefined ? "" : String(value as number));
  const change = (next: string) => {
    setEntered(next);
    onChange(next.trim() === "" || Number.isNaN(Number(next)) ? undefined : Number(next));
  };
  return (
    <TextField
      {...labelAndHintOf(parameter)}
      error={error}
      type="number"
      inputMode={typeOf(schema) === "integer" ? "numeric" : "decimal"}
      min={schema.minimum}
      max={schema.maximum}
      step={schema.multipleOf ?? (typeOf(schema) === "integer" ? 1 : "any")}
      placeholder={placeholderOf(schema)}
      aria-required={required}
      value={entered}
      onChange={(event) => change(event.target.value)}
    />
  );
}
