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

/** Returns whether the parameter is a character id (docs/characters.md). */
export const namesCharacter = ({ name, schema }: Parameter): boolean =>
  name === "character" && schema.type === "integer";

/** Returns the only type besides null; an empty string for several or none. */
export function typeOf({ type }: Schema): string {
  const types = [type ?? []].flat().filter((one) => one !== "null");
  return types.length === 1 ? types[0]! : "";
}

/** Returns the allowed values; null when the schema does not list them. */
export const choicesOf = (schema: Schema): unknown[] | null =>
  schema.enum ?? (schema.const === undefined ? null : [schema.const]);

export const itemsOf = ({ items }: Schema): Schema => (typeof items === "object" ? items : {});
