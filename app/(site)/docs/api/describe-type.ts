import { nameOfReference, type Schema } from "../document";

/** Returns a schema's type as text, and the name of the schema that it references. */
export function describeType(schema: Schema): { text: string; reference: string | null } {
  if (schema.$ref) return { text: nameOfReference(schema.$ref), reference: nameOfReference(schema.$ref) };
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return { text: values.map((value) => JSON.stringify(value)).join(" | "), reference: null };
  if (schema.anyOf) {
    const options = schema.anyOf.map(describeType);
    const reference = options.find((option) => option.reference !== null)?.reference ?? null;
    return { text: options.map(({ text }) => text).join(" | "), reference };
  }
  const types = [schema.type ?? "any"].flat();
  if (!types.includes("array")) return { text: types.join(" | "), reference: null };
  const item = describeType(schema.items ?? {});
  const text = types.map((type) => (type === "array" ? `array of ${item.text}` : type)).join(" | ");
  return { text, reference: item.reference };
}

/** Integers of a schema have these limits where it names none. */
const SAFE = Number.MAX_SAFE_INTEGER;

/** Returns the limits and the default of a value as text, such as "1 to 100, default 20"; empty without any. */
export function describeLimits({ minimum, maximum, maxLength, default: value }: Schema): string {
  const [from, to] = [minimum, maximum].map((limit) => (limit === undefined || Math.abs(limit) >= SAFE ? null : limit));
  const range =
    from === null ? (to === null ? null : `up to ${to}`) : to === null ? `from ${from}` : `${from} to ${to}`;
  const length = maxLength === undefined ? null : `up to ${maxLength} characters`;
  const standard = value === undefined || value === "" ? null : `default ${JSON.stringify(value)}`;
  return [range, length, standard].filter(Boolean).join(", ");
}
