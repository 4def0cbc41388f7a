import { divCeil, mulCeil, type Nano } from "../../lib/money";
import { findTokenPrice } from "../find-token-price";
import type { Route } from "../model";
import type { TokenPriceList, TokenPricing } from "../pricing";
import { tokenClasses } from "../token-classes";
import type { ListedPrices } from "./listed-prices";
import { findListedPrice, findNamedPrice, type Priced } from "./named-price";
import { updatePrices } from "./update-prices";

export interface Rates {
  eurPerUsd: Nano;
  /** Of the catalogue. */
  margin: Nano;
}

/** A route with its prices in the list; null if the list has none. */
export interface ListedRoute {
  route: Route;
  listed: ListedPrices | null;
}

/** A price list of a catalogue as it is, and as it becomes. */
export interface PriceUpdate {
  /** The index of the route whose cost it is; null for the price that customers pay. */
  route: number | null;
  now: TokenPriceList;
  then: TokenPriceList;
}

interface PricedRoute {
  /** What the catalogue says that the provider takes; null if it does not. */
  own: TokenPriceList | null;
  /** What the list says, in EUR. */
  cost: TokenPriceList | null;
}

/**
 * Returns the prices and costs that a model gets from a list. A price keeps its ratio to a route's own cost; for a route
 * without one, it is the listed price times the margin of the catalogue. Of several routes, the one that needs the highest
 * price decides, and a route that the list does not have keeps the price from falling.
 */
export function compareModel(pricing: TokenPricing, routes: ListedRoute[], rates: Rates): PriceUpdate[] {
  const compared = routes.map(({ route, listed }) => ({
    own: route.tokenCosts,
    cost: listed && toEuros(listed, rates.eurPerUsd),
  }));
  const costs = compared.flatMap(({ own, cost }, index) => {
    if (!own || !cost) return [];
    const find = (priced: Priced) => findNamedPrice(cost, priced);
    return [{ route: index, now: own, then: updatePrices(own, listLengths(cost), find) }];
  });
  const lengths = compared.flatMap(({ cost }) => (cost ? listLengths(cost) : []));
  const then = updatePrices(pricing, lengths, (priced) => {
    const isListed = compared.some(({ cost }) => cost && findNamedPrice(cost, priced) !== undefined);
    // A price that the list lacks stays, unless the listed price of shorter prompts needs a higher one.
    const least = isListed ? 0n : findNamedPrice(pricing, priced);
    const needed = compared.map((route) => findNeededPrice(pricing, route, priced, rates.margin));
    if (least === undefined || needed.every((price) => price === undefined)) return undefined;
    return needed.map((price) => price ?? findCharge(pricing, priced)).reduce(max, least);
  });
  return [{ route: null, now: pricing, then }, ...costs];
}

const max = (one: Nano, other: Nano): Nano => (one > other ? one : other);

const listLengths = ({ longContext }: TokenPriceList): number[] => longContext.map(({ above }) => above);

/** Returns what customers pay, whether or not the catalogue names this price. */
const findCharge = (pricing: TokenPriceList, priced: Priced): Nano =>
  "tier" in priced
    ? pricing.serviceTiers[priced.tier]!
    : findTokenPrice(pricing, priced.class, priced.above === null ? 0 : priced.above + 1);

/** Returns the price that a route needs; undefined if the list does not say what the provider charges. */
function findNeededPrice(
  pricing: TokenPriceList,
  { own, cost }: PricedRoute,
  priced: Priced,
  margin: Nano,
): Nano | undefined {
  const then = cost ? findListedPrice(cost, priced) : undefined;
  if (then === undefined) return undefined;
  if (!own) return "tier" in priced ? then : mulCeil(then, margin);
  const now = findNamedPrice(own, priced);
  const price = findNamedPrice(pricing, priced);
  if (now && price !== undefined) return divCeil(price * then, now);
  if ("tier" in priced) return undefined;
  // The cost or the price lacks this class, so the ratio of plain tokens applies, but the price does not fall below its
  // present ratio.
  const { within } = tokenClasses[priced.class];
  const plainCost = own.perMillion[within];
  // A cost of 0 has no ratio to its price.
  const plain = plainCost ? divCeil(pricing.perMillion[within] * then, plainCost) : mulCeil(then, margin);
  return max(plain, now ? divCeil(findCharge(pricing, priced) * then, now) : (price ?? 0n));
}

/** Returns prices in EUR, converted from USD and each rounded up. */
function toEuros({ perMillion, longContext, serviceTiers }: TokenPriceList, rate: Nano): TokenPriceList {
  const convert = (prices: TokenPriceList["perMillion"]) =>
    Object.fromEntries(
      Object.entries(prices).map(([name, price]) => [name, mulCeil(price, rate)]),
    ) as TokenPriceList["perMillion"];
  return {
    perMillion: convert(perMillion),
    longContext: longContext.map((entry) => ({ above: entry.above, perMillion: convert(entry.perMillion) })),
    serviceTiers,
  };
}
