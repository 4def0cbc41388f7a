import { isSchema, type Schema, subschemas } from "../../catalogue/subschemas";
import { memoizePer } from "../../lib/memoize-per";

/** A text in a file parameter of an input. */
export interface FileReference {
  /** Where it stands, as `image_input.0`. */
  place: string;
  /** The parameter's name, whatever is inside it. */
  kind: string;
  text: string;
}

/** What stands where the schema says `format: uri`, in the schema's order. The input has passed the schema. */
export function findFileReferences(schema: Schema, input: Record<string, unknown>): FileReference[] {
  const found = new Map<string, FileReference>();
  collect(schema, input, [], found);
  return [...found.values()];
}

function collect(schema: Schema, value: unknown, path: string[], found: Map<string, FileReference>): void {
  if (!takesFiles(schema)) return;
  if (schema.format === "uri" && typeof value === "string") {
    const place = path.join(".");
    found.set(place, { place, kind: path[0]!, text: value });
  }
  for (const { path: at, schema: inner } of applied(schema)) {
    for (const [step, part] of partsFor(schema, at, value)) collect(inner as Schema, part, [...path, ...step], found);
  }
}

const takesFiles = memoizePer(
  (schema: Schema): boolean =>
    schema.format === "uri" || applied(schema).some(({ schema }) => takesFiles(schema as Schema)),
);

// To pass a negated one is not to be accepted.
const applied = (schema: Schema) => subschemas(schema).filter(({ schema, negated }) => isSchema(schema) && !negated);

/** The parts of a value that the subschema under this keyword is about, with the way to each. */
function partsFor(schema: Schema, [keyword, name]: (string | number)[], value: unknown): [string[], unknown][] {
  if (keyword === "items") return Array.isArray(value) ? value.map((item, index) => [[String(index)], item]) : [];
  if (keyword !== "properties" && keyword !== "additionalProperties") return [[[], value]];
  if (!isSchema(value)) return [];
  if (keyword === "properties") return Object.hasOwn(value, name!) ? [[[String(name)], value[name!]]] : [];
  const known = isSchema(schema.properties) ? schema.properties : {};
  return Object.entries(value)
    .filter(([key]) => !Object.hasOwn(known, key))
    .map(([key, inner]) => [[key], inner]);
}
