import type { Schema } from "./subschemas";

/**
 * Returns the value of a parameter that a key of a YAML mapping stands for, because such keys are always texts: `5` is the
 * number 5 if the parameter takes numbers.
 */
export function readValueKey(property: Schema, key: string): unknown {
  const parsed = parseScalar(key);
  const { enum: values, type } = property;
  if (Array.isArray(values)) return values.includes(key) ? key : parsed;
  return type === undefined || [type].flat().includes("string") ? key : parsed;
}

function parseScalar(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? text : value;
  } catch {
    return text;
  }
}
