import { isObject } from "../../server/lib/is-object";
import { type Parameter, parametersOf, type Schema, takesFiles } from "./parameter";
import { sampleOf } from "./sample-input";

/** An input to try a model with. */
export interface ExampleInput {
  input: Record<string, unknown>;
  /** Required files, for which there is no example. */
  missing: string[];
}

const MAX_EXAMPLES = 3;

/**
 * Returns inputs to try a model with: the `examples` of its schema, otherwise the n-th `examples` of its parameters, and a
 * plausible value for each required parameter.
 */
export function exampleInputs(schema: Schema): ExampleInput[] {
  const parameters = parametersOf(schema);
  const whole = (schema.examples ?? []).filter(isObject);
  const count = Math.max(1, ...parameters.map(({ schema: { examples = [] } }) => examples.length));
  const chosen =
    whole.length > 0 ? whole : Array.from({ length: count }, (_, index) => pickExamples(parameters, index));
  return chosen
    .slice(0, MAX_EXAMPLES)
    .map((input) => complete(parameters, input))
    .filter(({ input }) => Object.keys(input).length > 0);
}

const pickExamples = (parameters: Parameter[], index: number): Record<string, unknown> =>
  Object.fromEntries(
    parameters
      .filter(({ schema: { examples = [] } }) => index < examples.length)
      .map(({ name, schema }) => [name, schema.examples![index]]),
  );

/** Adds the required parameters that an example lacks. */
function complete(parameters: Parameter[], example: Record<string, unknown>): ExampleInput {
  const lacking = parameters.filter(({ name, required }) => required && !(name in example));
  const samples = lacking.filter(hasSample).map(({ name, schema }) => [name, sampleOf(schema)] as const);
  const missing = lacking.filter((parameter) => !hasSample(parameter)).map(({ name }) => name);
  return { input: { ...Object.fromEntries(samples), ...example }, missing };
}

const hasSample = (parameter: Parameter): boolean => {
  const { default: value, examples = [] } = parameter.schema;
  return !takesFiles(parameter) || value !== undefined || examples.length > 0;
};
