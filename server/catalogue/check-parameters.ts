import { asObject, isObject } from "../lib/is-object";
import { checkSchema } from "./check-schema";
import { compileSchema } from "./compile-schema";
import { presenceWords } from "./match";
import type { JsonSchema } from "./model";
import { completeSchema, type ReportIssue } from "./subschemas";

/** Checks a `parameters_schema` and its defaults. Returns null if the schema cannot be compiled. */
export function checkParameters(written: unknown, report: ReportIssue): Parameters | null {
  if (written !== undefined && !isObject(written)) return null;
  const schema = completeSchema(written);
  const issues = checkSchema(schema);
  for (const { path, message } of issues) report(path, message);
  if (issues.length > 0) return null;

  const validate = compileSchema(schema);
  const parameters: Parameters = {
    schema,
    has: (name) => Object.hasOwn(schema.properties, name),
    accepts(name, value) {
      if (validate({ [name]: value })) return true;
      return !validate.errors!.some(({ instancePath }) => `${instancePath}/`.startsWith(`/${name}/`));
    },
  };
  for (const name of schema.required ?? []) {
    if (!parameters.has(name)) report(["required"], `names the unknown parameter ${name}`);
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    if (Object.hasOwn(property, "default") && !parameters.accepts(name, property.default))
      report(["properties", name, "default"], "is not a valid value of the parameter");
  }
  return parameters;
}

/** The parameters of a model, and the values that they accept. */
export interface Parameters {
  schema: JsonSchema;
  has(name: string): boolean;
  accepts(name: string, value: unknown): boolean;
}

/** Reports a value that a parameter cannot have, for values elsewhere in the catalogue. */
export function checkValue(
  parameters: Parameters,
  name: string,
  value: unknown,
  report: (message: string) => void,
): void {
  if (!parameters.has(name)) report("is not a parameter of the model");
  else if (!parameters.accepts(name, value)) report(`${JSON.stringify(value)} is not a valid value of the parameter`);
}

/** Reports the parameters and values of a match that no input can have. */
export function checkMatch(parameters: Parameters, match: unknown, report: ReportIssue): void {
  for (const [name, value] of Object.entries(asObject(match))) {
    if (!presenceWords.includes(value) || !parameters.has(name)) {
      checkValue(parameters, name, value, (message) => report([name], message));
      continue;
    }
    const { enum: values } = parameters.schema.properties[name]!;
    if (Array.isArray(values) && values.includes(value))
      report([name], `is ambiguous: ${String(value)} is a value of the parameter, and says whether it is given`);
  }
}
