import type { JsonSchema } from "./model";
import type { Schema } from "./subschemas";

/** Returns a schema with the members that it omits: by default an object without parameters. */
export const completeSchema = (schema: Schema | undefined): JsonSchema => ({
  type: "object",
  properties: {},
  ...schema,
});
