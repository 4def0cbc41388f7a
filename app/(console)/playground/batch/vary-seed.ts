import type { Parameter } from "../../../parameters/parameter";
import type { Input } from "../use-input";

const MAX_SEED = 2 ** 31 - 1;

/**
 * Returns `count` inputs of a form. If the model has a seed, they have consecutive ones that begin with the form's, or else
 * with `first`, so that the pictures differ and each can be made again.
 */
export function varySeed(input: Input, parameters: Parameter[], count: number, first: number): Input[] {
  const schema = parameters.find(({ name }) => name === "seed")?.schema;
  const { minimum = 0, maximum = MAX_SEED } = schema ?? {};
  const start = typeof input.seed === "number" ? input.seed : minimum + first;
  const span = maximum - minimum + 1;
  return Array.from({ length: count }, (_, n) =>
    schema ? { ...input, seed: minimum + ((start - minimum + n) % span) } : { ...input },
  );
}
