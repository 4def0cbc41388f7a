import { findRoutePrice } from "../../catalogue/match";
import type { Route } from "../../catalogue/model";
import { getDefaults } from "../../catalogue/subschemas";
import type { HubParts } from "../../context";
import { mulCeil, type Nano, parseDecimal } from "../../lib/money";
import { freezePriceList, tokenCost, type TokenUsage } from "../tokens";
import { countUnits, multiplyPrice } from "./cost";
import type { Price, Usage } from "./price";

/** The parts of the hub that prices use: the exchange rate of the dollar, and the models. */
export type PricingHub = Pick<HubParts, "catalogue" | "env">;

/** An attempt at a route, and what its provider said about the cost. */
interface RouteUse {
  route: Pick<Route, "priceUsd" | "when" | "provider">;
  state: { costUsd?: Nano };
  attempt: { cost: Nano | null };
  generation: { model: string; input: Record<string, unknown>; price: unknown };
  /** What was delivered; without it, what was requested counts. */
  usage?: Usage;
}

/**
 * Returns what the provider charges for an attempt, in nano-euros rounded up once: what it reported, now or at the submit,
 * otherwise the price of the route, or that of the model before the margin, times the units. Null if it is unknown.
 */
export function routeCost(hub: PricingHub, { route, state, attempt, generation, usage }: RouteUse): Nano | null {
  if (state.costUsd !== undefined) return usdToEur(hub, state.costUsd);
  if (attempt.cost !== null) return attempt.cost;
  const model = hub.catalogue.get(generation.model);
  const price = generation.price as Price;
  if (model?.pricing.by !== "tier" || price.by !== "tier") return null;
  const input = { ...getDefaults(model.parametersSchema), ...generation.input };
  const unitPrice = findRoutePrice(route, model.pricing.tiers, input);
  return unitPrice && multiplyPrice(unitPrice, countUnits(price, usage), parseDecimal(hub.env.EUR_PER_USD));
}

/** Returns an amount in nano-euros at today's rate, rounded up. */
export const usdToEur = ({ env }: Pick<HubParts, "env">, usd: Nano): Nano =>
  mulCeil(usd, parseDecimal(env.EUR_PER_USD));

/** The usage that is assumed for a chat when routes are compared. */
const TYPICAL: TokenUsage = { tokens: { input: 3_000_000, output: 1_000_000 }, serviceTier: null };

/** Returns what a route of a text model charges for a typical chat. */
export const typicalTokenCost = (hub: Pick<PricingHub, "catalogue">, model: string, route: Route): Nano | null =>
  routeTokenCost(hub, model, route, TYPICAL);

/**
 * Returns what the provider of a route charges for the tokens of a model, in nano-euros rounded up once: by the costs of the
 * route, otherwise by the model's prices in the catalogue, whatever a customer's book makes of them. Null if both are unknown.
 */
export function routeTokenCost(
  { catalogue }: Pick<PricingHub, "catalogue">,
  model: string,
  { tokenCosts }: Pick<Route, "tokenCosts">,
  usage: TokenUsage,
): Nano | null {
  const pricing = catalogue.get(model)?.pricing;
  const prices = tokenCosts ?? (pricing?.by === "token" ? pricing : null);
  return prices && tokenCost(freezePriceList(prices), usage);
}
