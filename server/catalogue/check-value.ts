/** The parameters of a model, and whether one of them can have a value. */
export interface Parameters {
  has(name: string): boolean;
  accepts(name: string, value: unknown): boolean;
}

/** A value that stands for a parameter elsewhere in the catalogue. */
export function checkValue(parameters: Parameters, name: string, value: unknown, say: (message: string) => void): void {
  if (!parameters.has(name)) say("there is no such parameter");
  else if (!parameters.accepts(name, value)) say(`${JSON.stringify(value)} is not a value that the parameter takes`);
}
