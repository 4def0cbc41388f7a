"use client";

import { Field, SelectField } from "../ui/field";
import { Segments } from "../ui/segments";
import { choicesOf } from "./parameter";
import { type ParameterProps, formatValue, labelAndHintOf } from "./parameter-props";

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
            <Segments label={parameter.name} options={options} value={at < 0 ? "" : String(at)} onChange={choose} />
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
