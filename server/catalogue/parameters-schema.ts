import type { JsonSchema } from "./model";
import type { Schema } from "./subschemas";

/** Returns a schema with the members that it omits: by default an object without parameters. */
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
