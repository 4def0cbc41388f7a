import type { ReactNode } from "react";
import { formatRange, type Parameter, type Schema, titleOf } from "./parameter";

export interface ParameterProps {
  parameter: Parameter;
  /** Undefined when nothing was entered, so that the model's default applies. */
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string;
}

/** Returns the label and hint of a parameter's field. */
export function labelAndHintOf(parameter: Parameter): { label: ReactNode; hint: string } {
  const { schema } = parameter;
  // The control itself shows allowed values and the type.
  const range = schema.enum ? "" : formatRange(schema);
  const hint = [schema.description, range && `${range.charAt(0).toUpperCase()}${range.slice(1)}.`]
    .filter(Boolean)
    .join(" ");
  return { label: <ParameterLabel parameter={parameter} />, hint };
}

/** Shows a parameter's title with its name in the API, unless they are the same word. */
function ParameterLabel({ parameter }: { parameter: Parameter }) {
  const title = titleOf(parameter);
  const { name, required } = parameter;
  return (
    <>
      {title}
      {required && " *"}
      {title.toLowerCase() !== name && <code className="ml-2 font-mono text-xs font-normal text-soft">{name}</code>}
    </>
  );
}

/** Returns a value as text; strings without quotes. */
export const formatValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Returns the model's default as a placeholder. */
export const placeholderOf = ({ default: value }: Schema) => (value === undefined ? undefined : formatValue(value));
