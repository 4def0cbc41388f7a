import { type Schema, subschemas } from "../../catalogue/subschemas";
import { asObject, isObject } from "../../lib/is-object";

/** OpenAI accepts at most this many properties in all, so a larger schema is not strict. */
const MAX_SCHEMAS = 5_000;

/**
 * Returns whether OpenAI would accept a schema as strict: each object must require all of its properties and forbid others.
 * Anthropic accepts any.
 */
export function isStrictSchema(root: Schema): boolean {
  const open: Schema[] = [root];
  for (let count = 0; open.length > 0; count += 1) {
    const schema = open.pop()!;
    if (count === MAX_SCHEMAS || (isObjectSchema(schema) && !isClosed(schema))) return false;
    for (const inner of listSubschemas(schema)) if (isObject(inner)) open.push(inner);
  }
  return true;
}

const isObjectSchema = ({ type, properties }: Schema): boolean =>
  type === "object" || (Array.isArray(type) && type.includes("object")) || isObject(properties);

function isClosed({ properties, required, additionalProperties }: Schema): boolean {
  if (additionalProperties !== false) return false;
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.keys(asObject(properties)).every((name) => names.has(name));
}

const listSubschemas = (schema: Schema): unknown[] => [
  ...subschemas(schema).map((inner) => inner.schema),
  ...[schema.$defs, schema.definitions].flatMap((named) => (isObject(named) ? Object.values(named) : [])),
  ...(Array.isArray(schema.prefixItems) ? (schema.prefixItems as unknown[]) : []),
];
