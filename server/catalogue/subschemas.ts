import { isObject } from "../lib/is-object";
import type { JsonSchema } from "./model";

export type Path = (string | number)[];
export type Schema = Record<string, unknown>;
/** Reports an issue at a location. */
export type ReportIssue = (path: Path, message: string) => void;

/** A `negated` schema rejects what matches it, so a limit added there would accept more. */
interface Subschema {
  path: Path;
  schema: unknown;
  negated: boolean;
}

/** Returns the direct subschemas of a schema with their locations. */
export function subschemas(schema: Schema): Subschema[] {
  const inMap = isObject(schema.properties)
    ? Object.entries(schema.properties).map(([name, inner]) => toSubschema(["properties", name], inner))
    : [];
  const inLists = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((inner, index) => toSubschema([keyword, index], inner)) : [];
  });
  const inKeywords = ["items", "additionalProperties", "not", "if", "then", "else"]
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => toSubschema([keyword], schema[keyword], keyword === "not" || keyword === "if"));
  return [...inMap, ...inLists, ...inKeywords];
}

const toSubschema = (path: Path, schema: unknown, negated = false): Subschema => ({ path, schema, negated });

/** Returns a schema with defaults for the members that it omits: an object without parameters. */
export const completeSchema = (schema: Schema | undefined): JsonSchema => ({
  type: "object",
  properties: {},
  ...schema,
});

/** Returns the default values of a schema, by parameter. */
export const getDefaults = ({ properties }: Pick<JsonSchema, "properties">): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => Object.hasOwn(property, "default"))
      .map(([name, property]) => [name, property.default]),
  );
