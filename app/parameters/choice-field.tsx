"use client";

import { Field, SelectField } from "../ui/field";
import { Segments } from "../ui/segments";
import { choicesOf } from "./parameter";
import { type ParameterProps, wordOf, wordsOf } from "./parameter-props";

const FEW = 6;
const SHORT = 32;

/** One of the values that a schema lists: all in sight when they are few, else in a list. */
export function ChoiceField({ parameter, value, onChange, error }: ParameterProps) {
  const { schema, required } = parameter;
  const words = wordsOf(parameter);
  const choices = choicesOf(schema)!;
  const options = choices.map((choice, index) => ({ value: String(index), label: wordOf(choice) }));
  const chosen = value === undefined ? schema.default : value;
  const at = choices.findIndex((choice) => wordOf(choice) === wordOf(chosen));
  const choose = (index: string) => onChange(index === "" ? undefined : choices[Number(index)]);
  const isShort = choices.length <= FEW && options.map(({ label }) => label).join("").length <= SHORT;
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
