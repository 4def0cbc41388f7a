"use client";

import type { ChangeEvent } from "react";
import { TextArea } from "../ui/controls";
import { CheckField, Field, TextField } from "../ui/field";
import { type ParameterProps, placeholderOf, labelAndHintOf } from "./parameter-props";

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const entered = ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => target.value || undefined;

/** Renders a single-line text field. */
export const LineField = ({ parameter, value, onChange, error }: ParameterProps) => (
  <TextField
    {...labelAndHintOf(parameter)}
    error={error}
    type={parameter.schema.format === "date" ? "date" : "text"}
    value={text(value)}
    placeholder={placeholderOf(parameter.schema)}
    maxLength={parameter.schema.maxLength}
    aria-required={parameter.required}
    onChange={(event) => onChange(entered(event))}
  />
);

/** Renders a multi-line text field. */
export const LongTextField = ({ parameter, value, onChange, error }: ParameterProps) => (
  <Field {...labelAndHintOf(parameter)} error={error}>
    {(controlProps) => (
      <TextArea
        {...controlProps}
        className={`${controlProps.className} field-sizing-content max-h-80 min-h-24 py-2`}
        value={text(value)}
        placeholder={placeholderOf(parameter.schema)}
        maxLength={parameter.schema.maxLength}
        aria-required={parameter.required}
        onChange={(event) => onChange(entered(event))}
      />
    )}
  </Field>
);

/** Edits a list of strings, one per line. */
export function LinesField({ parameter, value, onChange, error }: ParameterProps) {
  const { label, hint } = labelAndHintOf(parameter);
  return (
    <Field label={label} hint={`${hint} One per line.`} error={error}>
      {(controlProps) => (
        <TextArea
          {...controlProps}
          className={`${controlProps.className} field-sizing-content max-h-80 min-h-20 py-2`}
          value={Array.isArray(value) ? value.join("\n") : ""}
          onChange={(event) => onChange(entered(event)?.split("\n"))}
        />
      )}
    </Field>
  );
}

/** Renders a checkbox. */
export function CheckParameter({ parameter, value, onChange, error }: ParameterProps) {
  const { label, hint } = labelAndHintOf(parameter);
  return (
    <CheckField
      label={label}
      hint={error ?? hint}
      checked={(value ?? parameter.schema.default ?? false) === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
