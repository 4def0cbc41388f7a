import { _, Ajv, str, type ValidateFunction } from "ajv";
import stringify from "safe-stable-stringify";
import { memoizePer } from "../lib/memoize-per";
import { boundSchema } from "./bound-schema";
import { DEFAULT_MAX_LENGTH } from "./bounds";
import { formats } from "./formats";
import type { Schema } from "./subschemas";

const ajv = new Ajv({
  allErrors: true,
  allowUnionTypes: true,
  // An input that lacks "constructor" must not be taken to have it.
  ownProperties: true,
  // What limits texts must say that it is about texts: the limits that are added go by the type.
  strictTypes: true,
  strictRequired: false,
  // 0.3 is a multiple of 0.1.
  multipleOfPrecision: 9,
  addUsedSchema: false,
  logger: false,
  formats,
});

// Ajv goes on to the pattern after a string was found too long, and patterns are checked for their limit only.
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

// Ajv counts the characters of every text one by one; most are told to be short by their length alone.
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

// Ajv compares every pair.
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
 * The check of a checked schema, compiled once, with limits where it sets none. Throws what Ajv says of a schema it
 * does not take.
 */
export const compileSchema = memoizePer((schema: Schema): ValidateFunction => {
  const bounded = boundSchema(schema);
  try {
    return ajv.compile(bounded);
  } finally {
    // Catalogues come and go; Ajv would keep them all.
    ajv.removeSchema(bounded);
  }
});

/** Faults against the JSON Schema rules themselves, by JSON Pointer. */
export function findSchemaIssues(schema: Schema): { pointer: string; message: string }[] {
  if (ajv.validateSchema(schema) === true) return [];
  return (ajv.errors ?? []).map(({ instancePath, message }) => ({
    pointer: instancePath,
    message: message ?? "is not a valid schema",
  }));
}
