import { formatLimits, type Parameter, type Schema } from "./parameter";

export interface ParameterProps {
  parameter: Parameter;
  /** Undefined when nothing was entered, so that the model's default applies. */
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string;
}

/** Returns the label and hint of a parameter's field. */
export function labelAndHintOf({ name, schema, required }: Parameter) {
  const limits = formatLimits(schema);
  // The control itself shows allowed values and the type.
  const saysMore = !schema.enum && /\d/.test(limits);
  const hint = [schema.description, saysMore && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`]
    .filter(Boolean)
    .join(" ");
  return { label: required ? `${name} *` : name, hint };
}

/** Returns a value as text; strings without quotes. */
export const formatValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Returns the model's default as a placeholder. */
export const placeholderOf = ({ default: value }: Schema) => (value === undefined ? undefined : formatValue(value));
