type Schema = Record<string, unknown>;

const DEEPEST = 20;

const formats: Record<string, string> = {
  date: "2026-11-21",
  time: "08:00:00Z",
  "date-time": "2026-11-21T08:00:00Z",
  email: "sandbox@example.org",
  uri: "https://example.org/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** A value that a JSON Schema of the usual kind accepts, always the same one. */
export function sampleValue(schema: unknown, root: Schema = schema as Schema, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > DEEPEST) return null;
  const { $ref, const: only, enum: allowed, default: usual, type, anyOf, oneOf, allOf } = schema as Schema;
  const inner = (one: unknown) => sampleValue(one, root, depth + 1);
  if (typeof $ref === "string") return inner(resolve($ref, root));
  if (only !== undefined) return only;
  if (Array.isArray(allowed)) return allowed[0];
  if (usual !== undefined) return usual;
  const choice = [anyOf, oneOf].find((list) => Array.isArray(list)) as unknown[] | undefined;
  if (choice) return inner(choice[0]);
  if (Array.isArray(allOf))
    return inner(Object.fromEntries((allOf as Schema[]).flatMap((part) => Object.entries(part))));
  return sampleOf(typeOf(type, schema as Schema), schema as Schema, inner);
}

function sampleOf(type: string, schema: Schema, inner: (one: unknown) => unknown): unknown {
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Schema).map(([name, one]) => [name, inner(one)]),
      );
    case "array":
      return Array.from({ length: Math.min(Math.max(number(schema.minItems, 1), 0), 100) }, () => inner(schema.items));
    case "string":
      return (
        formats[String(schema.format)] ??
        "sandbox".padEnd(Math.min(number(schema.minLength, 0), 1_000), ".").slice(0, number(schema.maxLength, 1_000))
      );
    case "integer":
    case "number":
      return numberFor(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

const typeOf = (type: unknown, { properties, items }: Schema): string =>
  ([type].flat().find((one) => typeof one === "string" && one !== "null") as string | undefined) ??
  (properties ? "object" : items ? "array" : "null");

function numberFor({ minimum, exclusiveMinimum, maximum, multipleOf }: Schema): number {
  const least = Math.max(number(minimum, 0), number(exclusiveMinimum, -1) + 1);
  const step = number(multipleOf, 1);
  const value = Math.ceil(Math.max(least, 1) / step) * step;
  return Math.min(value, number(maximum, value));
}

/** The part of the root that a local reference such as `#/$defs/City` names. */
const resolve = (reference: string, root: Schema): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (at, name) => (at as Schema | undefined)?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
      root,
    );

const number = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);
