import type { Nano } from "../../lib/money";
import type { TokenPriceList, TokenPrices } from "../pricing";
import { optionalTokenClasses, type TokenClass, tokenClasses } from "../token-classes";
import type { Priced } from "./named-price";

/** Returns the new price, or undefined where it stays. */
type FindPrice = (priced: Priced) => Nano | undefined;

/**
 * Returns a price list with new prices, also for `lengths` that it does not have yet. It may get more classes, but no other
 * tiers of service: to offer one is a decision of the operator.
 */
export function updatePrices(now: TokenPriceList, lengths: number[], findPrice: FindPrice): TokenPriceList {
  const update = (above: number | null, prices: Partial<TokenPrices>, base?: TokenPrices) =>
    updateClasses(prices, (name) => findPrice({ class: name, above }), base);
  const perMillion = update(null, now.perMillion);
  const own = new Map(now.longContext.map((entry) => [entry.above, entry.perMillion]));
  const all = [...new Set([...own.keys(), ...lengths])].sort((one, other) => one - other);
  const tiers = Object.entries(now.serviceTiers).map(([tier, factor]) => [tier, findPrice({ tier }) ?? factor]);
  return {
    perMillion,
    longContext: all.map((above) => ({ above, perMillion: update(above, own.get(above) ?? {}, perMillion) })),
    serviceTiers: Object.fromEntries(tiers) as Record<string, Nano>,
  };
}

/** A class that costs as much as plain tokens needs no price, unless it or the same class of shorter prompts has one. */
function updateClasses(
  now: Partial<TokenPrices>,
  findPrice: (name: TokenClass) => Nano | undefined,
  base: Partial<TokenPrices> = now,
): TokenPrices {
  const prices = { ...now, input: findPrice("input") ?? now.input!, output: findPrice("output") ?? now.output! };
  for (const name of optionalTokenClasses) {
    const price = findPrice(name);
    const isNeeded = now[name] !== undefined || base[name] !== undefined || price !== prices[tokenClasses[name].within];
    if (price !== undefined && isNeeded) prices[name] = price;
  }
  return prices;
}
