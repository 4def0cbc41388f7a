import { isObject } from "../lib/is-object";
import { _, Ajv, str, type ValidateFunction } from "ajv";
import stringify from "safe-stable-stringify";
import { memoizePer } from "../lib/memoize-per";
import { DEFAULT_MAX_ITEMS, DEFAULT_MAX_LENGTH } from "./bounds";
import { type Schema, subschemas } from "./subschemas";

const HTTP_URL = /^https?:\/\/[^\s]+$/i;
const SHA256 = /^sha256:[0-9a-f]{64}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const isInstant = (text: string) => !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10));
// Date.parse accepts 31 February and returns 3 March.
const isDay = (text: string) => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

/** Checks of the supported `format` values; each takes linear time. */
const formats = {
  /** Names content: by URL, or by the SHA-256 of a file of the account. */
  uri: (text: string) => SHA256.test(text) || (HTTP_URL.test(text) && URL.canParse(text)),
  date: (text: string) => DATE.test(text) && isInstant(text),
  "date-time": (text: string) => DATE_TIME.test(text) && isInstant(text),
  uuid: (text: string) => UUID.test(text),
};

const ajv = new Ajv({
  allErrors: true,
  allowUnionTypes: true,
  // Otherwise every input would seem to have a member "constructor".
  ownProperties: true,
  // Default limits are added by type, so keywords for strings need `type: string`.
  strictTypes: true,
  strictRequired: false,
  // Makes 0.3 a multiple of 0.1.
  multipleOfPrecision: 9,
  addUsedSchema: false,
  logger: false,
  formats,
});

// Ajv tests the pattern even on a string that is too long, but patterns are bounded only up to maxLength.
ajv.removeKeyword("pattern");
ajv.addKeyword({
  keyword: "pattern",
  type: "string",
  schemaType: "string",
  error: { message: ({ schemaCode }) => str`must match the pattern ${schemaCode}` },
  compile(pattern: string, { maxLength = DEFAULT_MAX_LENGTH }: Schema) {
    const expression = new RegExp(pattern, "u");
    return (text: string) => text.length > 2 * Number(maxLength) || expression.test(text);
  },
});

// Ajv counts the characters of every string one by one; the length alone is enough for most.
ajv.removeKeyword("maxLength");
ajv.addKeyword({
  keyword: "maxLength",
  type: "string",
  schemaType: "number",
  error: { message: "is too long", params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
  compile: (limit: number) => (text: string) =>
    text.length <= limit || (text.length <= 2 * limit && countCharacters(text) <= limit),
});
const countCharacters = (text: string) => [...text].length;

// Ajv compares every pair of items, which takes quadratic time.
ajv.removeKeyword("uniqueItems");
ajv.addKeyword({
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  error: { message: "must not repeat an item" },
  compile: (unique: boolean) => (items: unknown[]) =>
    !unique || new Set(items.map((item) => stringify(item))).size === items.length,
});

/**
 * Returns the validator of a checked schema, with default limits where the schema sets none. Each schema is compiled
 * once. Throws Ajv's error for a schema that it rejects.
 */
export const compileSchema = memoizePer((schema: Schema): ValidateFunction => {
  const bounded = boundSchema(schema);
  try {
    return ajv.compile(bounded);
  } finally {
    // Ajv would keep the schemas of every earlier catalogue in memory.
    ajv.removeSchema(bounded);
  }
});

/** Returns a copy of a checked schema in which every string and array has a limit. */
function boundSchema(schema: Schema): Schema {
  const bounded = structuredClone(schema);
  addLimits(bounded, false);
  return bounded;
}

function addLimits(schema: Schema, negated: boolean) {
  const types = [schema.type].flat();
  if (!negated && types.includes("string")) schema.maxLength ??= DEFAULT_MAX_LENGTH;
  if (!negated && types.includes("array")) schema.maxItems ??= DEFAULT_MAX_ITEMS;
  for (const inner of subschemas(schema)) if (isObject(inner.schema)) addLimits(inner.schema, negated || inner.negated);
}

/** Returns violations of the rules of JSON Schema itself, by JSON Pointer. */
export function findSchemaIssues(schema: Schema): { pointer: string; message: string }[] {
  if (ajv.validateSchema(schema) === true) return [];
  return (ajv.errors ?? []).map(({ instancePath, message }) => ({
    pointer: instancePath,
    message: message ?? "is not a valid schema",
  }));
}
