type Schema = Record<string, unknown>;

const MAX_DEPTH = 20;

const formats: Record<string, string> = {
  date: "2026-11-21",
  time: "08:00:00Z",
  "date-time": "2026-11-21T08:00:00Z",
  email: "sandbox@example.org",
  uri: "https://example.org/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** Returns a deterministic value that is valid for a typical JSON Schema. */
export function sampleValue(schema: unknown, root: Schema = schema as Schema, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH) return null;
  const { $ref, const: only, enum: allowed, default: usual, type, anyOf, oneOf, allOf } = schema as Schema;
  const inner = (one: unknown) => sampleValue(one, root, depth + 1);
  if (typeof $ref === "string") return inner(resolveReference($ref, root));
  if (only !== undefined) return only;
  if (Array.isArray(allowed)) return allowed[0];
  if (usual !== undefined) return usual;
  const choice = [anyOf, oneOf].find((list) => Array.isArray(list)) as unknown[] | undefined;
  if (choice) return inner(choice[0]);
  if (Array.isArray(allOf))
    return inner(Object.fromEntries((allOf as Schema[]).flatMap((part) => Object.entries(part))));
  return sampleByType(inferType(type, schema as Schema), schema as Schema, inner);
}

function sampleByType(type: string, schema: Schema, inner: (one: unknown) => unknown): unknown {
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Schema).map(([name, one]) => [name, inner(one)]),
      );
    case "array":
      return Array.from({ length: Math.min(Math.max(numberOr(schema.minItems, 1), 0), 100) }, () =>
        inner(schema.items),
      );
    case "string":
      return (
        formats[String(schema.format)] ??
        "sandbox"
          .padEnd(Math.min(numberOr(schema.minLength, 0), 1_000), ".")
          .slice(0, numberOr(schema.maxLength, 1_000))
      );
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

const inferType = (type: unknown, { properties, items }: Schema): string =>
  ([type].flat().find((one) => typeof one === "string" && one !== "null") as string | undefined) ??
  (properties ? "object" : items ? "array" : "null");

function sampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf }: Schema): number {
  const lowerBound = Math.max(numberOr(minimum, 0), numberOr(exclusiveMinimum, -1) + 1);
  const step = numberOr(multipleOf, 1);
  const value = Math.ceil(Math.max(lowerBound, 1) / step) * step;
  return Math.min(value, numberOr(maximum, value));
}

/** Returns the part of the root schema at a local reference such as `#/$defs/City`. */
const resolveReference = (reference: string, root: Schema): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (at, name) => (at as Schema | undefined)?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
      root,
    );

const numberOr = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);
