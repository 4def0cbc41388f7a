import type { JsonSchema } from "./model";
import type { Schema } from "./subschemas";

/** A schema as its model has it: where it is silent, it is an object without parameters. */
export const completeSchema = (schema: Schema | undefined): JsonSchema => ({
  type: "object",
  properties: {},
  ...schema,
});
