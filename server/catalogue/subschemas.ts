export type Path = (string | number)[];
export type Schema = Record<string, unknown>;
/** Notes a fault at a place. */
export type ReportIssue = (path: Path, message: string) => void;

/** `negated`: to pass it is not to be accepted, so a limit added there would let more in. */
export interface Subschema {
  path: Path;
  schema: unknown;
  negated: boolean;
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schemas directly inside a schema, with their places. */
export function subschemas(schema: Schema): Subschema[] {
  const inMap = isSchema(schema.properties)
    ? Object.entries(schema.properties).map(([name, inner]) => found(["properties", name], inner))
    : [];
  const inLists = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((inner, index) => found([keyword, index], inner)) : [];
  });
  const alone = ["items", "additionalProperties", "not", "if", "then", "else"]
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => found([keyword], schema[keyword], keyword === "not" || keyword === "if"));
  return [...inMap, ...inLists, ...alone];
}

const found = (path: Path, schema: unknown, negated = false): Subschema => ({ path, schema, negated });
