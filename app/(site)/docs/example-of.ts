import { type Response, resolveSchema, type Schema } from "./document";

/** Returns an example of a schema: its own, or one made from the examples of its members. */
export function exampleOf(schema: Schema): unknown {
  const [given] = [schema.example, schema.const, schema.default, schema.enum?.[0]].filter((one) => one !== undefined);
  if (given !== undefined) return given;
  if (schema.$ref) return exampleOf(resolveSchema(schema));
  const options = schema.anyOf ?? [];
  const types = [schema.type ?? [], ...options.map(({ type }) => type ?? [])].flat();
  if (types.includes("null")) return null;
  return options.length > 0 ? exampleOf(options[0]!) : exampleOfType(types[0], schema);
}

function exampleOfType(type: string | undefined, schema: Schema): unknown {
  if (type === "object") return exampleOfMembers(schema);
  if (type === "array") return [exampleOf(schema.items!)];
  if (type === "boolean") return false;
  return type === "string" ? "string" : (schema.minimum ?? 0);
}

/** Leaves out the optional members that have no example of their own: most requests do without them. */
const exampleOfMembers = ({ properties = {}, required = [] }: Schema) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, { example }]) => required.includes(name) || example !== undefined)
      .map(([name, member]) => [name, exampleOf(member)]),
  );

/** Returns an example of a response's JSON; undefined for a response without JSON. */
export function exampleOfResponse({ content }: Response): unknown {
  const json = content?.["application/json"];
  return json && (json.example ?? exampleOf(json.schema));
}
