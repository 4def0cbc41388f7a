import { isDeepStrictEqual } from "node:util";
import { formatDecimal } from "../lib/money";
import { findRoutePrice, findTier, presenceWords } from "./match";
import type { JsonSchema, Model, Route } from "./model";
import type { Match, Tier } from "./pricing";

const MAX_INPUTS = 2_000;
/** A value that no match names. */
const OTHER = Symbol("other");

type Inputs = Record<string, unknown>[];

/**
 * Returns a sentence if a route can take more for a unit than the customer pays. It tries every combination of the values
 * that prices depend on.
 */
export function findCostWarnings({ pricing, parametersSchema }: Model, route: Route): string[] {
  if (pricing.by !== "tier") return [];
  const { tiers, unit } = pricing;
  const matches = [...tiers.map(({ match }) => match), ...route.when.map(({ match }) => match)];
  for (const input of listInputs(matches, parametersSchema)) {
    const tier = findTier(tiers, input);
    const cost = findRoutePrice(route, tiers, input);
    if (!tier || !cost || !canServe(route, input)) continue;
    const isAbove = cost.first > tier.price.first || (unit !== null && cost.next > tier.price.next);
    if (isAbove) return [describe(tier, cost.first > tier.price.first ? "first" : "next", cost)];
  }
  return [];
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
