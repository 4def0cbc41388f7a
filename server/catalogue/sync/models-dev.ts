import { isObject } from "../../lib/is-object";
import type { Nano } from "../../lib/money";
import type { TokenPriceList } from "../pricing";
import type { TokenClass } from "../token-classes";
import type { Entry } from "./pick-entries";
import { priceListError } from "./price-list-error";
import { readClasses, readPrice } from "./read-price";

/** Members of a cost, in USD per million tokens. */
const members: Partial<Record<TokenClass, string>> = {
  input: "input",
  cached_input: "cache_read",
  cache_write: "cache_write",
  audio_input: "input_audio",
  output: "output",
  reasoning: "reasoning",
  audio_output: "output_audio",
};

const MAX_TIERS = 8;
/** What older lists have instead of `tiers`. */
const OLD_LENGTH = 200_000;

/** Returns the prices of a model of models.dev, in USD; null if it has none. It lists no tiers of service. */
export function readModelsDev({ cost }: Entry): TokenPriceList | null {
  if (!isObject(cost)) return null;
  const perMillion = readClasses((name) => findPrice(cost, name));
  if (!perMillion) return null;
  const longContext = listLengths(cost)
    .sort((one, other) => one.above - other.above)
    .map(({ above, prices }) => ({ above, perMillion: readClasses((name) => findPrice(prices, name), perMillion)! }));
  return { perMillion, longContext, serviceTiers: {} };
}

function findPrice(cost: Entry, name: TokenClass): Nano | undefined {
  const member = members[name];
  return member === undefined ? undefined : readPrice(cost, member, 1_000_000);
}

function listLengths({ tiers, context_over_200k: older }: Entry): { above: number; prices: Entry }[] {
  if (!Array.isArray(tiers)) return isObject(older) ? [{ above: OLD_LENGTH, prices: older }] : [];
  if (tiers.length > MAX_TIERS) throw priceListError(`has more than ${MAX_TIERS} lengths for a model`);
  return tiers.map((prices: unknown) => {
    const size = isObject(prices) && isObject(prices.tier) ? prices.tier.size : null;
    if (!Number.isSafeInteger(size) || (size as number) < 1)
      throw priceListError("has a length that is no whole number");
    return { above: size as number, prices: prices as Entry };
  });
}
