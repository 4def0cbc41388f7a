import type { JsonSchema } from "./model";

/** Returns the default values of a schema, by parameter. */
export const getDefaults = ({ properties }: Pick<JsonSchema, "properties">): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => Object.hasOwn(property, "default"))
      .map(([name, property]) => [name, property.default]),
  );
