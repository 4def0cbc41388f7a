/** As much of JSON Schema as catalogues use (docs/catalogue.md). */
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

/** The parameters of a model, those that it cannot do without first. */
export function parametersOf({ properties = {}, required = [] }: Schema): Parameter[] {
  const all = Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)];
}

/** Whether it names a character by its id (docs/characters.md). */
export const namesCharacter = ({ name, schema }: Parameter): boolean =>
  name === "character" && schema.type === "integer";

/** The one type that a value has, null aside; empty when there are several or none. */
export function typeOf({ type }: Schema): string {
  const types = [type ?? []].flat().filter((one) => one !== "null");
  return types.length === 1 ? types[0]! : "";
}

/** The values to choose from; null when any of the type may be given. */
export const choicesOf = (schema: Schema): unknown[] | null =>
  schema.enum ?? (schema.const === undefined ? null : [schema.const]);

export const itemsOf = ({ items }: Schema): Schema => (typeof items === "object" ? items : {});
