"use client";

import { type ChangeEvent, useState } from "react";
import { TextArea } from "../ui/controls";
import { CheckField, Field, TextField } from "../ui/form";
import { labelAndHintOf, type ParameterProps, placeholderOf } from "./parameter-props";
import { typeOf } from "./parameter";

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

/** The value of an entry such as "-" or "1e". The hub rejects it; without a value it would use the model's default. */
const NOT_A_NUMBER = "?";

/** Renders a number field that keeps incomplete input such as "-" or "1e". */
export function NumberField({ parameter, value, onChange, error }: ParameterProps) {
  const { schema, required } = parameter;
  const [entered, setEntered] = useState(typeof value === "number" ? String(value) : "");
  const change = ({ value: next, validity }: HTMLInputElement) => {
    setEntered(next);
    onChange(validity.badInput ? NOT_A_NUMBER : next === "" ? undefined : Number(next));
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
      onChange={(event) => change(event.target)}
      // The browser returns no text for such an entry, so React reports no change of an empty field to "-".
      onInput={(event) => change(event.currentTarget)}
    />
  );
}

/** Renders a text area for values without a dedicated control. Other text than JSON is a value that the hub rejects. */
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
      onChange(next);
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
