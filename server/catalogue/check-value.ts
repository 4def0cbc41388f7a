/** The parameters of a model, and the values that they accept. */
export interface Parameters {
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
