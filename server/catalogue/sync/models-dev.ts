import { asObject, isObject } from "../../lib/is-object";
import type { Nano } from "../../lib/money";
import type { TokenPriceList, TokenPrices } from "../pricing";
import type { TokenClass } from "../token-classes";
import type { Entry } from "./pick-entries";
import { priceListError } from "./price-list-error";
import { type PricedEntry, readClasses, readPrice } from "./read-price";

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
/** The context length of `context_over_200k`, which older lists have instead of `tiers`. */
const OLD_LENGTH = 200_000;

/** Returns the prices of a model of models.dev, in USD; null if it has none. It lists no service tiers. */
export function readModelsDev({ cost }: Entry, name: string): TokenPriceList | null {
  if (!isObject(cost)) return null;
  const read = (entry: Entry, base?: TokenPrices) =>
    readClasses((one) => findPrice({ entry, name, tokensPerPrice: 1_000_000 }, one), base);
  const perMillion = read(cost);
  if (!perMillion) return null;
  const longContext = listLengths(cost)
    .sort((one, other) => one.above - other.above)
    .map(({ above, prices }) => ({ above, perMillion: read(prices, perMillion)! }));
  return { perMillion, longContext, serviceTiers: {} };
}

function findPrice(cost: PricedEntry, name: TokenClass): Nano | undefined {
  const member = members[name];
  return member === undefined ? undefined : readPrice(cost, member);
}

function listLengths({ tiers, context_over_200k: older }: Entry): { above: number; prices: Entry }[] {
  if (!Array.isArray(tiers)) return isObject(older) ? [{ above: OLD_LENGTH, prices: older }] : [];
  if (tiers.length > MAX_TIERS) throw priceListError(`has more than ${MAX_TIERS} lengths for a model`);
  return tiers.flatMap((prices: unknown) => {
    const { tier } = asObject(prices);
    const { type = "context", size } = asObject(tier);
    if (type !== "context") return [];
    if (!Number.isSafeInteger(size) || (size as number) < 1)
      throw priceListError("has a length that is no whole number");
    return { above: size as number, prices: prices as Entry };
  });
}
