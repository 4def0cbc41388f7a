import { isSchema, type Schema, subschemas } from "../../catalogue/subschemas";
import { memoizePer } from "../../lib/memoize-per";
import { parseOwnFileUrl, parseSha256Ref } from "../input-files";
import { rejectInput, type Root } from "../model-inputs";
import type { ReferencesHub } from "./hub";

/** A string at a place of the input where the schema expects a file. */
export interface FileReference {
  /** Path in the input, such as `image_input.0`. */
  place: string;
  /** Name of the top-level parameter. */
  kind: string;
  text: string;
}

/** Returns the values at `format: uri`, in the schema's order. The input must be valid for the schema. */
export function findFileReferences(schema: Schema, input: Record<string, unknown>): FileReference[] {
  const found = new Map<string, FileReference>();
  collectReferences(schema, input, [], found);
  return [...found.values()];
}

function collectReferences(schema: Schema, value: unknown, path: string[], found: Map<string, FileReference>): void {
  if (!acceptsFiles(schema)) return;
  if (schema.format === "uri" && typeof value === "string") {
    const place = path.join(".");
    found.set(place, { place, kind: path[0]!, text: value });
  }
  for (const { path: keywordPath, schema: inner } of applicableSubschemas(schema)) {
    for (const [keys, part] of selectParts(schema, keywordPath, value))
      collectReferences(inner as Schema, part, [...path, ...keys], found);
  }
}

const acceptsFiles = memoizePer(
  (schema: Schema): boolean =>
    schema.format === "uri" || applicableSubschemas(schema).some(({ schema }) => acceptsFiles(schema as Schema)),
);

// A subschema under `not` describes values that are rejected.
const applicableSubschemas = (schema: Schema) =>
  subschemas(schema).filter(({ schema, negated }) => isSchema(schema) && !negated);

/** Returns the parts of a value to which the subschema under this keyword applies, each with its path. */
function selectParts(schema: Schema, [keyword, name]: (string | number)[], value: unknown): [string[], unknown][] {
  if (keyword === "items") return Array.isArray(value) ? value.map((item, index) => [[String(index)], item]) : [];
  if (keyword !== "properties" && keyword !== "additionalProperties") return [[[], value]];
  if (!isSchema(value)) return [];
  if (keyword === "properties") return Object.hasOwn(value, name!) ? [[[String(name)], value[name!]]] : [];
  const known = isSchema(schema.properties) ? schema.properties : {};
  return Object.entries(value)
    .filter(([key]) => !Object.hasOwn(known, key))
    .map(([key, inner]) => [[key], inner]);
}

const MAX_OUTSIDE_INPUTS = 100;

/** Returns the distinct external URLs among the file references of an input. */
export const findOutsideInputs = (hub: ReferencesHub, references: FileReference[]): string[] => [
  ...new Set(
    references
      .map(({ text }) => text)
      .filter((text) => parseSha256Ref(text) === null && parseOwnFileUrl(hub, text) === null),
  ),
];

/** Returns the external URLs of a new input, undefined when it has none. Throws a 400 `invalid_input` for too many. */
export function checkOutsideInputs(
  hub: ReferencesHub,
  references: FileReference[],
  root: Root = "input",
): string[] | undefined {
  const outside = findOutsideInputs(hub, references);
  if (outside.length > MAX_OUTSIDE_INPUTS) {
    const { place } = references.find(({ text }) => text === outside[MAX_OUTSIDE_INPUTS])!;
    rejectInput(root, [[place, `exceeds the limit of ${MAX_OUTSIDE_INPUTS} external URLs`]]);
  }
  return outside.length > 0 ? outside : undefined;
}
