import { isDeepStrictEqual } from "node:util";
import { formatDecimal, mulCeil, type Nano } from "../lib/money";
import { findTokenPrice } from "./find-token-price";
import { findRoutePrice, findTier, presenceWords } from "./match";
import type { JsonSchema, Model, Route } from "./model";
import type { Match, Tier, TokenPriceList, UnitPrice } from "./pricing";
import { type TokenClass, tokenClasses, tokenClassNames } from "./token-classes";

const MAX_INPUTS = 2_000;
/** A value that no match names. */
const OTHER = Symbol("other");

type Inputs = Record<string, unknown>[];

/**
 * Returns a sentence if a route can take more for a unit than the customer pays. It tries every combination of the values
 * that prices depend on. `costs` has the tiers whose costs count: those of the catalogue where a book has others.
 */
export function findCostWarnings({ pricing, parametersSchema }: Model, route: Route, costs?: Tier[]): string[] {
  if (pricing.by === "token" && route.tokenCosts) return findTokenWarnings(pricing, route.tokenCosts);
  if (pricing.by !== "tier") return [];
  const costTiers = costs ?? pricing.tiers;
  const matches = [...pricing.tiers, ...costTiers, ...route.when].map(({ match }) => match);
  for (const input of listInputs(matches, parametersSchema)) {
    if (!canServe(route, input)) continue;
    const warning = compareTier(pricing, findTier(pricing.tiers, input), findRoutePrice(route, costTiers, input));
    if (warning !== null) return [warning];
  }
  return [];
}

/** Returns a sentence if the cost of a unit is above its price. */
function compareTier({ unit }: { unit: string | null }, tier: Tier | undefined, cost: UnitPrice | null): string | null {
  if (!tier || !cost) return null;
  if (cost.first > tier.price.first) return describe(tier, "first", cost);
  return unit !== null && cost.next > tier.price.next ? describe(tier, "next", cost) : null;
}

/** Returns a sentence for each class of tokens that costs more than its price, at any length and service tier. */
function findTokenWarnings(prices: TokenPriceList, costs: TokenPriceList): string[] {
  const lengths = [0, ...[...prices.longContext, ...costs.longContext].map(({ above }) => above + 1)];
  const tiers = [null, ...new Set([...Object.keys(prices.serviceTiers), ...Object.keys(costs.serviceTiers)])];
  return tokenClassNames.flatMap((name) => {
    for (const tier of tiers)
      for (const length of lengths) {
        const [price, cost] = [prices, costs].map((list) => findPriceAt(list, name, { length, tier }));
        if (cost! > price!) return [describeToken(name, { length, tier }, price!, cost!)];
      }
    return [];
  });
}

interface Situation {
  /** Of the prompt, in tokens. */
  length: number;
  tier: string | null;
}

function findPriceAt(list: TokenPriceList, name: TokenClass, { length, tier }: Situation): Nano {
  const price = findTokenPrice(list, name, length);
  return tier !== null && Object.hasOwn(list.serviceTiers, tier) ? mulCeil(price, list.serviceTiers[tier]!) : price;
}

function describeToken(name: TokenClass, { length, tier }: Situation, price: Nano, cost: Nano): string {
  const where = [
    ...(length > 0 ? [`above ${length - 1} input tokens`] : []),
    ...(tier === null ? [] : [`in the tier ${tier}`]),
  ];
  const places = where.length > 0 ? ` ${where.join(" ")}` : "";
  return `takes ${formatDecimal(cost)} EUR per million ${tokenClasses[name].noun}${places}, more than their price of ${formatDecimal(price)} EUR`;
}

function describe({ match, price }: Tier, which: "first" | "next", cost: Tier["cost"]): string {
  const values = Object.entries(match).map(([name, value]) => `${name} ${String(value)}`);
  const where = values.length > 0 ? ` for ${values.join(", ")}` : "";
  return `can cost ${formatDecimal(cost[which])} USD${where}, more than the price of ${formatDecimal(price[which])} USD`;
}

const canServe = ({ accepts }: Route, input: Record<string, unknown>): boolean =>
  Object.entries(accepts).every(
    ([name, values]) => !Object.hasOwn(input, name) || values.some((value) => isDeepStrictEqual(value, input[name])),
  );

/** Returns inputs with every combination of the values of the parameters that the matches name; none if they are too many. */
function listInputs(matches: Match[], schema: JsonSchema): Inputs {
  const names = [...new Set(matches.flatMap((match) => Object.keys(match)))];
  let inputs: Inputs = [{}];
  for (const name of names) {
    const values = listValues(name, matches, schema);
    if (inputs.length * values.length > MAX_INPUTS) return [];
    inputs = inputs.flatMap((input) =>
      values.map((value) => (value === undefined ? input : { ...input, [name]: value })),
    );
  }
  return inputs;
}

/** Returns the values of a parameter that a match can distinguish; undefined for an omitted one. */
function listValues(name: string, matches: Match[], { properties, required = [] }: JsonSchema): unknown[] {
  const property = properties[name]!;
  const named = matches.flatMap((match) => (Object.hasOwn(match, name) ? [match[name]] : []));
  const literals = named.filter((value) => !presenceWords.includes(value));
  const values = Array.isArray(property.enum) ? property.enum : [...literals, OTHER];
  const isOptional = !required.includes(name) && !Object.hasOwn(property, "default");
  const isEmptyList = Array.isArray(property.default) && property.default.length === 0;
  return [...(isOptional || isEmptyList ? [undefined] : []), ...new Set<unknown>(values)];
}
