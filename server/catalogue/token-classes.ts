interface ClassOfTokens {
  /**
   * Whether they are part of what a request sends or of what the model makes. No token is in two classes of the same total.
   */
  within: TokenTotal;
  /** How a price list calls them. */
  label: string;
  /** Their name in a sentence. */
  noun: string;
}

/** All tokens of a prompt, or of an answer. The class of the same name contains those that are in no other class. */
export type TokenTotal = "input" | "output";

/**
 * The tokens of text models by what a million of them costs in EUR: `input_cost_per_million` in the catalogue and the API. A
 * class without a price costs as much as `input` or `output`.
 */
export const tokenClasses = {
  input: { within: "input", label: "Input", noun: "input tokens" },
  cached_input: { within: "input", label: "Cached input", noun: "cached input tokens" },
  cache_write: { within: "input", label: "Cache write", noun: "tokens written to the cache" },
  cache_write_long: { within: "input", label: "Long cache write", noun: "tokens written to the long cache" },
  audio_input: { within: "input", label: "Audio input", noun: "audio input tokens" },
  image_input: { within: "input", label: "Image input", noun: "image input tokens" },
  output: { within: "output", label: "Output", noun: "output tokens" },
  reasoning: { within: "output", label: "Reasoning", noun: "reasoning tokens" },
  audio_output: { within: "output", label: "Audio output", noun: "audio output tokens" },
} as const satisfies Record<string, ClassOfTokens>;

export type TokenClass = keyof typeof tokenClasses;

export const tokenClassNames = Object.keys(tokenClasses) as TokenClass[];

/** Classes that a model need not price. */
export type OptionalTokenClass = Exclude<TokenClass, TokenTotal>;

export const optionalTokenClasses = tokenClassNames.filter(
  (name): name is OptionalTokenClass => name !== "input" && name !== "output",
);

/** Returns an object with a value for each of some names, under the name and a suffix. */
export const mapNames = <Name extends string, Suffix extends string, Value>(
  names: readonly Name[],
  suffix: Suffix,
  toValue: (name: Name) => Value,
) => Object.fromEntries(names.map((name) => [`${name}${suffix}`, toValue(name)])) as Record<`${Name}${Suffix}`, Value>;

/** Tokens by class: `input` and `output` contain those of no other class, and a class without a count has none. */
export type Tokens = Record<TokenTotal, number> & Partial<Record<TokenClass, number>>;

const listClasses = (total: TokenTotal) => tokenClassNames.filter((name) => tokenClasses[name].within === total);
const classesWithin = { input: listClasses("input"), output: listClasses("output") };

/** Returns the tokens of all classes of a prompt, or of an answer. */
export function sumTokens(tokens: Tokens, total: TokenTotal): number {
  let sum = 0;
  for (const name of classesWithin[total]) sum += tokens[name] ?? 0;
  return sum;
}
