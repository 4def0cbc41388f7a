import { ceilToNano, type Nano } from "../../lib/money";
import type { TokenPrices } from "../pricing";
import { MAX_PRICE } from "../shape-values";
import { type TokenClass, tokenClassNames } from "../token-classes";
import type { Entry } from "./pick-entries";
import { priceListError } from "./price-list-error";

/** Digits of a price that count: computed ones end in the noise of binary numbers. */
const PRECISION = 12;

/**
 * Returns a member of a list's entry in USD per million tokens; undefined if it has none. Throws OperatorError for what is no
 * number from 0 to 1,000 USD.
 */
export function readPrice(entry: Entry, member: string, tokensPerPrice: number): Nano | undefined {
  const value = Object.hasOwn(entry, member) ? entry[member] : undefined;
  if (value === undefined || value === null) return undefined;
  const perMillion = typeof value === "number" ? value * (1_000_000 / tokensPerPrice) : NaN;
  if (perMillion >= 0 && perMillion <= MAX_PRICE) return ceilToNano(Number(perMillion.toPrecision(PRECISION)));
  throw priceListError(`has a ${member} that is not from 0 to ${MAX_PRICE} USD per million tokens`);
}

/** Returns prices by class, with the plain ones of `base` where there is no other; null without input and output. */
export function readClasses(
  find: (name: TokenClass) => Nano | undefined,
  base?: Pick<TokenPrices, "input" | "output">,
): TokenPrices | null {
  const [input, output] = [find("input") ?? base?.input, find("output") ?? base?.output];
  if (input === undefined || output === undefined) return null;
  const prices: TokenPrices = { input, output };
  for (const name of tokenClassNames) {
    // An optional price of 0 means that the class is not counted apart.
    const price = find(name);
    if (price) prices[name] = price;
  }
  return prices;
}
