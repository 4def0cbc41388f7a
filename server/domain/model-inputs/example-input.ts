import type { Model } from "../../catalogue/model";

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[]; items?: Schema };

/** Returns an input with a plausible value for each required parameter. */
export const exampleInput = ({ parametersSchema }: Pick<Model, "parametersSchema">): Record<string, unknown> =>
  exampleObject(parametersSchema);

const exampleObject = ({ properties = {}, required = [] }: Schema): Record<string, unknown> =>
  Object.fromEntries(
    required.flatMap((name) => (Object.hasOwn(properties, name) ? [[name, exampleValue(properties[name]!)]] : [])),
  );

function exampleValue(schema: Schema): unknown {
  const { default: preset, examples, minItems, minimum, exclusiveMinimum } = schema;
  const known = [preset, ...asList(examples), ...asList(schema.enum)].find((value) => value !== undefined);
  if (known !== undefined) return known;
  switch ([schema.type].flat()[0]) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return asNumber(minimum) ?? (asNumber(exclusiveMinimum) ?? 0) + 1;
    case "array":
      return Array.from({ length: asNumber(minItems) ?? 1 }, () => exampleValue(schema.items ?? {}));
    case "object":
      return exampleObject(schema);
    default:
      return schema.format === "uri" ? "https://example.com/input.png" : "A lighthouse at dawn";
  }
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const asNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
