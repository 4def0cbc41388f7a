import { choicesOf, itemsOf, parametersOf, type Schema, typeOf } from "./parameter";

const TEXT = "A lighthouse at dawn";
const FORMATS: Record<string, string> = {
  uri: "https://example.com/input.png",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  uuid: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d11",
};

/** Returns an input with a plausible value for each required parameter. */
export const sampleInput = (schema: Schema): Record<string, unknown> =>
  Object.fromEntries(
    parametersOf(schema)
      .filter(({ required }) => required)
      .map(({ name, schema }) => [name, sampleOf(schema)]),
  );

/** Returns a plausible value of a schema: its default, an example, or one made up. */
export function sampleOf(schema: Schema): unknown {
  const [example] = [
    [schema.default].filter((one) => one !== undefined),
    schema.examples ?? [],
    choicesOf(schema) ?? [],
  ].flat();
  if (example !== undefined) return example;
  switch (typeOf(schema)) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(itemsOf(schema)));
    case "object":
      return sampleInput(schema);
    default:
      return sampleText(schema);
  }
}

function sampleNumber({ minimum, exclusiveMinimum, maximum }: Schema): number {
  const min = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  return Math.min(min, maximum ?? min);
}

const sampleText = ({ format, minLength = 0, maxLength = Infinity }: Schema): string =>
  FORMATS[format ?? ""] ?? TEXT.padEnd(minLength, ".").slice(0, maxLength);
