import { optionalTokenClasses, type OptionalTokenClass, sumTokens, type Tokens } from "../../catalogue/token-classes";

/** The tokens of a chat, and the tier of service that they are charged at; null for the default one. */
export interface TokenUsage {
  tokens: Tokens;
  serviceTier: string | null;
}

/** Far above any real job; a larger count could overflow a money column. */
const MAX_TOKEN_COUNT = 1_000_000_000;

/** Returns whether a reported token count is plausible. */
export const isTokenCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKEN_COUNT;

/** A usage in the columns of a generation: the totals, and the classes that are not plain. */
interface StoredUsage {
  input_tokens: number | null;
  output_tokens: number | null;
  /** Absent classes have no tokens; `service_tier` is absent for the default one. Null if there is neither. */
  token_classes: TokenClasses | null;
}

export type TokenClasses = Partial<Record<OptionalTokenClass, number>> & { service_tier?: string };

/** Returns a usage for its columns. */
export function toStoredUsage({ tokens, serviceTier }: TokenUsage): StoredUsage {
  const classes: TokenClasses = {};
  for (const name of optionalTokenClasses) if (tokens[name]) classes[name] = tokens[name];
  if (serviceTier !== null) classes.service_tier = serviceTier;
  return {
    input_tokens: sumTokens(tokens, "input"),
    output_tokens: sumTokens(tokens, "output"),
    token_classes: Object.keys(classes).length > 0 ? classes : null,
  };
}

/** Returns what a generation used, as customers see it: totals, and parts of them. Null if none was recorded. */
export function describeUsage({ input_tokens, output_tokens, token_classes }: Partial<StoredUsage>) {
  // A snapshot of an earlier release has none of these members.
  if (typeof input_tokens !== "number" || typeof output_tokens !== "number") return null;
  const { cached_input = 0, cache_write = 0, cache_write_long = 0, reasoning = 0 } = token_classes ?? {};
  return {
    input_tokens,
    cached_input_tokens: cached_input,
    cache_write_tokens: cache_write + cache_write_long,
    output_tokens,
    reasoning_tokens: reasoning,
  };
}

/** Returns the usage of a generation's columns; null if none was recorded. */
export function fromStoredUsage({ input_tokens, output_tokens, token_classes }: StoredUsage): TokenUsage | null {
  if (input_tokens === null || output_tokens === null) return null;
  const { service_tier: serviceTier = null, ...classes } = token_classes ?? {};
  const parts: Tokens = { input: 0, output: 0, ...classes };
  return {
    tokens: {
      ...parts,
      input: input_tokens - sumTokens(parts, "input"),
      output: output_tokens - sumTokens(parts, "output"),
    },
    serviceTier,
  };
}
