"use client";

import type { ChangeEvent } from "react";
import { TextArea } from "../ui/controls";
import { CheckField, Field, TextField } from "../ui/field";
import { type ParameterProps, placeholderOf, wordsOf } from "./parameter-props";

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const entered = ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => target.value || undefined;

/** A text of one line. */
export const LineField = ({ parameter, value, onChange, error }: ParameterProps) => (
  <TextField
    {...wordsOf(parameter)}
    error={error}
    type={parameter.schema.format === "date" ? "date" : "text"}
    value={text(value)}
    placeholder={placeholderOf(parameter.schema)}
    maxLength={parameter.schema.maxLength}
    aria-required={parameter.required}
    onChange={(event) => onChange(entered(event))}
  />
);

/** A text of any number of lines. */
export const LongTextField = ({ parameter, value, onChange, error }: ParameterProps) => (
  <Field {...wordsOf(parameter)} error={error}>
    {(given) => (
      <TextArea
        {...given}
        className={`${given.className} field-sizing-content max-h-80 min-h-24 py-2`}
        value={text(value)}
        placeholder={placeholderOf(parameter.schema)}
        maxLength={parameter.schema.maxLength}
        aria-required={parameter.required}
        onChange={(event) => onChange(entered(event))}
      />
    )}
  </Field>
);

/** A list of texts, one a line. */
export function LinesField({ parameter, value, onChange, error }: ParameterProps) {
  const { label, hint } = wordsOf(parameter);
  return (
    <Field label={label} hint={`${hint} One per line.`} error={error}>
      {(given) => (
        <TextArea
          {...given}
          className={`${given.className} field-sizing-content max-h-80 min-h-20 py-2`}
          value={Array.isArray(value) ? value.join("\n") : ""}
          onChange={(event) => onChange(entered(event)?.split("\n"))}
        />
      )}
    </Field>
  );
}

/** Yes or no. */
export function CheckParameter({ parameter, value, onChange, error }: ParameterProps) {
  const { label, hint } = wordsOf(parameter);
  return (
    <CheckField
      label={label}
      hint={error ?? hint}
      checked={(value ?? parameter.schema.default ?? false) === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
