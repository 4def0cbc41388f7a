"use client";

import { useState } from "react";
import { TextArea } from "../ui/controls";
import { Field } from "../ui/field";
import { type ParameterProps, wordsOf } from "./parameter-props";

/** A value of a shape that only JSON tells. */
export function JsonField({ parameter, value, onChange, error }: ParameterProps) {
  const { label, hint } = wordsOf(parameter);
  const [entered, setEntered] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [fault, setFault] = useState("");
  const change = (next: string) => {
    setEntered(next);
    try {
      onChange(next.trim() === "" ? undefined : JSON.parse(next));
      setFault("");
    } catch {
      setFault("Enter valid JSON.");
    }
  };
  return (
    <Field label={label} hint={`${hint} Enter JSON.`} error={fault || error}>
      {(given) => (
        <TextArea
          {...given}
          className={`${given.className} min-h-20 py-2 font-mono`}
          spellCheck={false}
          value={entered}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  );
}
