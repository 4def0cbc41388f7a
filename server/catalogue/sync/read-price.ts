import { ceilToNano, type Nano } from "../../lib/money";
import type { TokenPrices } from "../pricing";
import { MAX_PRICE } from "../shape-values";
import { type TokenClass, tokenClassNames } from "../token-classes";
import type { Entry } from "./pick-entries";
import { priceListError } from "./price-list-error";

/** Significant digits of a price: computed prices end in floating-point noise. */
const PRECISION = 12;

/** An entry with prices, and for how many tokens each of them is. */
export interface PricedEntry {
  entry: Entry;
  /** Its name in the list. */
  name: string;
  tokensPerPrice: number;
}

/**
 * Returns a member of an entry in USD per million tokens; undefined if it has none. Throws OperatorError for anything but a
 * number from 0 to 1,000 USD.
 */
export function readPrice({ entry, name, tokensPerPrice }: PricedEntry, member: string): Nano | undefined {
  const value = Object.hasOwn(entry, member) ? entry[member] : undefined;
  if (value === undefined || value === null) return undefined;
  const perMillion = typeof value === "number" ? value * (1_000_000 / tokensPerPrice) : NaN;
  if (perMillion >= 0 && perMillion <= MAX_PRICE) return ceilToNano(Number(perMillion.toPrecision(PRECISION)));
  throw priceListError(`has a price that is not from 0 to ${MAX_PRICE} USD per million tokens: ${member} of ${name}`);
}

/** Returns prices by class, by default the input and output prices of `base`; null unless both are known. */
export function readClasses(
  find: (name: TokenClass) => Nano | undefined,
  base?: Pick<TokenPrices, "input" | "output">,
): TokenPrices | null {
  const [input, output] = [find("input") ?? base?.input, find("output") ?? base?.output];
  if (input === undefined || output === undefined) return null;
  const prices: TokenPrices = { input, output };
  for (const name of tokenClassNames) {
    // An optional price of 0 means that the class is not counted separately.
    const price = find(name);
    if (price) prices[name] = price;
  }
  return prices;
}
