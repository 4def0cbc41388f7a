import type { Parameter, Schema } from "./parameter";
import { formatLimits } from "./format-limits";

export interface ParameterProps {
  parameter: Parameter;
  /** Undefined where nothing was entered, so that the model's default counts. */
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string;
}

/** The words above and below a parameter's control. */
export function wordsOf({ name, schema, required }: Parameter) {
  const limits = formatLimits(schema);
  // The control itself shows which values there are, and that it takes a text.
  const saysMore = !schema.enum && /\d/.test(limits);
  const hint = [schema.description, saysMore && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`]
    .filter(Boolean)
    .join(" ");
  return { label: required ? `${name} *` : name, hint };
}

/** A value as a person reads it. */
export const wordOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What stands in an empty control: the model's default. */
export const placeholderOf = ({ default: value }: Schema) => (value === undefined ? undefined : wordOf(value));
