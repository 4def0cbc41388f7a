import type { Parameters } from "./check-value";
import { checkSchema } from "./check-schema";
import { compileSchema } from "./compile-schema";
import { completeSchema } from "./complete-schema";
import { isSchema, type ReportIssue } from "./subschemas";

/** Checks a `parameters_schema` and its defaults. Null when it has a fault that leaves nothing to compare with. */
export function checkParameters(written: unknown, say: ReportIssue): Parameters | null {
  if (written !== undefined && !isSchema(written)) return null;
  const schema = completeSchema(written);
  const faults = checkSchema(schema);
  for (const { path, message } of faults) say(path, message);
  if (faults.length > 0) return null;

  const validate = compileSchema(schema);
  const parameters: Parameters = {
    has: (name) => Object.hasOwn(schema.properties, name),
    accepts(name, value) {
      if (validate({ [name]: value })) return true;
      return !validate.errors!.some(({ instancePath }) => `${instancePath}/`.startsWith(`/${name}/`));
    },
  };
  for (const name of schema.required ?? []) {
    if (!parameters.has(name)) say(["required"], `there is no parameter ${name}`);
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    if (Object.hasOwn(property, "default") && !parameters.accepts(name, property.default))
      say(["properties", name, "default"], "is not a value that the parameter takes");
  }
  return parameters;
}
