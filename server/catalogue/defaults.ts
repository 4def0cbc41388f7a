import type { JsonSchema } from "./model";

/** The values that a schema promises for parameters left out. */
export const getDefaults = ({ properties }: Pick<JsonSchema, "properties">): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => Object.hasOwn(property, "default"))
      .map(([name, property]) => [name, property.default]),
  );
