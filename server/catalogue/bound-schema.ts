import { DEFAULT_MAX_ITEMS, DEFAULT_MAX_LENGTH } from "./bounds";
import { isSchema, type Schema, subschemas } from "./subschemas";

/** A copy of a checked schema in which every string and array has a limit. */
export function boundSchema(schema: Schema, negated = false): Schema {
  const bounded = structuredClone(schema);
  limit(bounded, negated);
  return bounded;
}

function limit(schema: Schema, negated: boolean) {
  const types = [schema.type].flat();
  if (!negated && types.includes("string")) schema.maxLength ??= DEFAULT_MAX_LENGTH;
  if (!negated && types.includes("array")) schema.maxItems ??= DEFAULT_MAX_ITEMS;
  for (const inner of subschemas(schema)) if (isSchema(inner.schema)) limit(inner.schema, negated || inner.negated);
}
