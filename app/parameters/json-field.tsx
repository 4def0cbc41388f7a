"use client";

import { useState } from "react";
import { TextArea } from "../ui/controls";
import { Field } from "../ui/field";
import { type ParameterProps, labelAndHintOf } from "./parameter-props";

/** Renders a text area for values without a dedicated control. */
export function JsonField({ parameter, value, onChange, error }: ParameterProps) {
  const { label, hint } = labelAndHintOf(parameter);
  const [entered, setEntered] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [syntaxError, setSyntaxError] = useState("");
  const change = (next: string) => {
    setEntered(next);
    try {
      onChange(next.trim() === "" ? undefined : JSON.parse(next));
      setSyntaxError("");
    } catch {
      setSyntaxError("Enter valid JSON.");
    }
  };
  return (
    <Field label={label} hint={`${hint} Enter JSON.`} error={syntaxError || error}>
      {(controlProps) => (
        <TextArea
          {...controlProps}
          className={`${controlProps.className} min-h-20 py-2 font-mono`}
          spellCheck={false}
          value={entered}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  );
}
