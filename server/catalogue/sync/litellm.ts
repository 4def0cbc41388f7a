import { divCeil, type Nano, NANO_PER_UNIT as NANO } from "../../lib/money";
import type { TokenPriceList } from "../pricing";
import { type TokenClass, tokenClassNames } from "../token-classes";
import type { Entry } from "./pick-entries";
import { readClasses, readPrice } from "./read-price";

/** Members of an entry, in USD per token; the first one that is there counts. */
const members: Record<TokenClass, string[]> = {
  input: ["input_cost_per_token"],
  cached_input: ["cache_read_input_token_cost", "input_cost_per_token_cache_hit"],
  cache_write: ["cache_creation_input_token_cost"],
  cache_write_long: ["cache_creation_input_token_cost_above_1hr", "cache_creation_input_token_cost_above_12hr"],
  audio_input: ["input_cost_per_audio_token"],
  image_input: ["input_cost_per_image_token"],
  output: ["output_cost_per_token"],
  reasoning: ["output_cost_per_reasoning_token"],
  audio_output: ["output_cost_per_audio_token"],
};

/** A length in thousands of tokens, after which a price begins. */
const LENGTH = /^(?:in|out)put_cost_per_token_above_([1-9]\d{0,5})k_tokens$/;
const TIER = /^(?:in|out)put_cost_per_token_([a-z]{1,32})$/;

/**
 * Returns the prices of an entry of litellm's list, in USD; null if it has none. Discounts at certain hours do not count:
 * DeepSeek's prices are those at its peak.
 */
export function readLitellm(entry: Entry, entryName: string): TokenPriceList | null {
  const source = { entry, name: entryName, tokensPerPrice: 1 };
  const find = (name: TokenClass, suffix: string): Nano | undefined => {
    for (const member of members[name]) {
      const price = readPrice(source, `${member}${suffix}`);
      if (price !== undefined) return price;
    }
    return undefined;
  };
  const perMillion = readClasses((name) => find(name, ""));
  if (!perMillion) return null;
  const lengths = listMatches(entry, LENGTH).map((thousands) => ({
    above: Number(thousands) * 1_000,
    suffix: `_above_${thousands}k_tokens`,
  }));
  const longContext = lengths
    .sort((one, other) => one.above - other.above)
    .map(({ above, suffix }) => ({ above, perMillion: readClasses((name) => find(name, suffix), perMillion)! }));
  const suffixes = ["", ...lengths.map(({ suffix }) => suffix)];
  const serviceTiers: Record<string, Nano> = {};
  for (const tier of listMatches(entry, TIER)) {
    const factors = suffixes.flatMap((suffix) =>
      tokenClassNames.flatMap((name) => {
        const [plain, price] = [find(name, suffix), find(name, `${suffix}_${tier}`)];
        return plain && price !== undefined ? [divCeil(price * NANO, plain)] : [];
      }),
    );
    // The catalogue multiplies all classes alike, so the dearest one decides.
    if (factors.length > 0) serviceTiers[tier] = factors.reduce((most, one) => (one > most ? one : most));
  }
  return { perMillion, longContext, serviceTiers };
}

/** Returns what a pattern captures in the names of an entry's members, each once. */
const listMatches = (entry: Entry, pattern: RegExp): string[] => [
  ...new Set(Object.keys(entry).flatMap((name) => pattern.exec(name)?.[1] ?? [])),
];
