import { defaultFormats } from "../ui/formats";

/** The subset of JSON Schema that catalogues use (docs/catalogue.md). */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema | boolean;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  schema: Schema;
  required: boolean;
}

/** Returns the parameters of a model, required ones first. */
export function parametersOf({ properties = {}, required = [] }: Schema): Parameter[] {
  const all = Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)];
}

/** Returns the title of a parameter: that of its schema, else its name as words ("Aspect ratio"). */
export function titleOf({ name, schema: { title } }: Parameter): string {
  const words = title ?? name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns whether the parameter is a character id (docs/characters.md). */
export const namesCharacter = ({ name, schema }: Parameter): boolean =>
  name === "character" && schema.type === "integer";

/** Returns whether a value is a file, named by its URL or hash. */
export const isFile = (schema: Schema): boolean => typeOf(schema) === "string" && schema.format === "uri";

/** Returns whether the parameter takes a file, or a list of files. */
export const takesFiles = ({ schema }: Parameter): boolean => isFile(schema) || isFile(itemsOf(schema));

/** Returns an input that has a file in the first parameter that takes one; null if none does. */
export function fileInput(parameters: Parameter[], url: string): Record<string, unknown> | null {
  const parameter = parameters.find(takesFiles);
  return parameter ? { [parameter.name]: typeOf(parameter.schema) === "array" ? [url] : url } : null;
}

/** Returns the only type besides null; an empty string for several or none. */
export function typeOf({ type }: Schema): string {
  const types = [type ?? []].flat().filter((one) => one !== "null");
  return types.length === 1 ? types[0]! : "";
}

/** Returns the allowed values; null when the schema does not list them. */
export const choicesOf = (schema: Schema): unknown[] | null =>
  schema.enum ?? (schema.const === undefined ? null : [schema.const]);

export const itemsOf = ({ items }: Schema): Schema => (typeof items === "object" ? items : {});

/** Returns a parameter's type and limits in words: "string, up to 4,000 characters", "integer from 1 to 500", "list of up to 4 files". */
export function formatLimits(schema: Schema): string {
  const type = typeOf(schema) || [schema.type ?? []].flat().join(" or ");
  const { minLength, maxLength, format } = schema;
  if (isFile(schema)) return "file";
  if (type === "array") return formatListLimits(schema);
  if (type !== "string") return [type, range(schema.minimum, schema.maximum)].filter(Boolean).join(" ");
  const length = range(minLength === 1 ? undefined : minLength, maxLength);
  return [format ?? type, length && !format && `${length} characters`].filter(Boolean).join(", ");
}

/** Returns the limits of a form value in words: "up to 4,000 characters", "1 to 500", "up to 4 files"; empty without any. */
export function formatRange(schema: Schema): string {
  const type = typeOf(schema);
  const { minLength, maxLength, format } = schema;
  if (isFile(schema) || (type === "string" && format)) return "";
  if (type === "array") return formatCount(schema);
  if (type === "string") return addUnit(range(minLength === 1 ? undefined : minLength, maxLength), "characters");
  return range(schema.minimum, schema.maximum);
}

const addUnit = (text: string, unit: string) => text && `${text} ${unit}`;

const formatCount = (schema: Schema) =>
  addUnit(
    range(schema.minItems, schema.maxItems),
    `${isFile(itemsOf(schema)) ? "file" : "value"}${schema.maxItems === 1 ? "" : "s"}`,
  );

function formatListLimits(schema: Schema): string {
  const count = range(schema.minItems, schema.maxItems, "of ");
  const items = isFile(itemsOf(schema)) && (schema.maxItems === 1 ? "file" : "files");
  return ["list", count || (items && "of"), items].filter(Boolean).join(" ");
}

// Limits of the API are formatted the same for everyone.
const number = (value: number) => defaultFormats.number(value, 20);

function range(min: number | undefined, max: number | undefined, before = ""): string {
  if (min !== undefined && max !== undefined) {
    return min === max ? `${before}${number(min)}` : `${before || "from "}${number(min)} to ${number(max)}`;
  }
  if (max !== undefined) return `${before}up to ${number(max)}`;
  return min === undefined ? "" : `${before}at least ${number(min)}`;
}
