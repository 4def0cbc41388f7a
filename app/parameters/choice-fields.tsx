"use client";

import { Field, SelectField } from "../ui/form";
import { Segments } from "../ui/segments";
import { Input } from "../ui/controls";
import { choicesOf, itemsOf, titleOf } from "./parameter";
import { formatValue, labelAndHintOf, type ParameterProps } from "./parameter-props";

const MAX_SEGMENTS = 6;
const MAX_SEGMENTS_LENGTH = 32;

/** Selects one of the values of a schema: segmented buttons for a few, else a select. */
export function ChoiceField({ parameter, value, onChange, error }: ParameterProps) {
  const { schema, required } = parameter;
  const words = labelAndHintOf(parameter);
  const choices = choicesOf(schema)!;
  const options = choices.map((choice, index) => ({ value: String(index), label: formatValue(choice) }));
  const chosen = value === undefined ? schema.default : value;
  const at = choices.findIndex((choice) => formatValue(choice) === formatValue(chosen));
  const choose = (index: string) => onChange(index === "" ? undefined : choices[Number(index)]);
  const isShort =
    choices.length <= MAX_SEGMENTS && options.map(({ label }) => label).join("").length <= MAX_SEGMENTS_LENGTH;
  if (isShort && (required || schema.default !== undefined)) {
    return (
      <Field {...words} error={error}>
        {({ id }) => (
          <div id={id} className="justify-self-start">
            <Segments label={titleOf(parameter)} options={options} value={at < 0 ? "" : String(at)} onChange={choose} />
          </div>
        )}
      </Field>
    );
  }
  return (
    <SelectField
      {...words}
      error={error}
      value={at < 0 ? "" : String(at)}
      onChange={(event) => choose(event.target.value)}
    >
      {schema.default === undefined && <option value="">{required ? "Choose one" : "Not set"}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectField>
  );
}

/** Selects any number of allowed values with checkboxes. */
export function ChoicesField({ parameter, value, onChange, error }: ParameterProps) {
  const { label, hint } = labelAndHintOf(parameter);
  const choices = itemsOf(parameter.schema).enum!;
  const chosen = Array.isArray(value) ? value : ((parameter.schema.default ?? []) as unknown[]);
  const toggle = (choice: unknown) =>
    onChange(choices.filter((one) => (one === choice ? !chosen.includes(one) : chosen.includes(one))));
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-x-4">
        {choices.map((choice) => (
          <label key={formatValue(choice)} className="flex min-h-9 items-center gap-2 text-sm pointer-coarse:min-h-11">
            <Input
              type="checkbox"
              className="size-4 accent-accent"
              checked={chosen.includes(choice)}
              onChange={() => toggle(choice)}
            />
            {formatValue(choice)}
          </label>
        ))}
      </div>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {hint && <p className="text-xs leading-5 text-soft">{hint}</p>}
    </fieldset>
  );
}
