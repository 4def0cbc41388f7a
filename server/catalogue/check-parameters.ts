import { checkSchema } from "./check-schema";
import { compileSchema } from "./compile-schema";
import { completeSchema } from "./complete-schema";
import { isSchema, type Say } from "./subschemas";

/** The parameters of a model, and whether one of them can have a value. */
export interface Parameters {
  has(name: string): boolean;
  takes(name: string, value: unknown): boolean;
}

/** Checks a `parameters_schema` and its defaults. Null when it has a fault that leaves nothing to compare with. */
export function checkParameters(written: unknown, say: Say): Parameters | null {
  if (written !== undefined && !isSchema(written)) return null;
  const schema = completeSchema(written);
  const faults = checkSchema(schema);
  for (const { path, message } of faults) say(path, message);
  if (faults.length > 0) return null;

  const validate = compileSchema(schema);
  const parameters: Parameters = {
    has: (name) => Object.hasOwn(schema.properties, name),
    takes(name, value) {
      if (validate({ [name]: value })) return true;
      return !validate.errors!.some(({ instancePath }) => `${instancePath}/`.startsWith(`/${name}/`));
    },
  };
  for (const name of schema.required ?? []) {
    if (!parameters.has(name)) say(["required"], `there is no parameter ${name}`);
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    if (Object.hasOwn(property, "default") && !parameters.takes(name, property.default))
      say(["properties", name, "default"], "is not a value that the parameter takes");
  }
  return parameters;
}

/** A value that stands for a parameter elsewhere in the catalogue. */
export function checkValue(parameters: Parameters, name: string, value: unknown, say: (message: string) => void) {
  if (!parameters.has(name)) say("there is no such parameter");
  else if (!parameters.takes(name, value)) say(`${JSON.stringify(value)} is not a value that the parameter takes`);
}
