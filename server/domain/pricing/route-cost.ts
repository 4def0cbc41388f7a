import { findRoutePrice } from "../../catalogue/match";
import type { Route } from "../../catalogue/model";
import { getDefaults } from "../../catalogue/subschemas";
import type { Hub } from "../../context";
import { mulCeil, type Nano, parseDecimal } from "../../lib/money";
import { countUnits } from "./cost";
import type { Price } from "./price";
import { multiplyPrice } from "./units";
import type { Usage } from "./usage";

/** An attempt at a route, and what its provider said about the cost. */
interface RouteUse {
  route: Pick<Route, "priceUsd" | "when" | "provider">;
  state: { costUsd?: Nano };
  attempt: { cost: Nano | null };
  generation: { model: string; input: Record<string, unknown>; price: unknown };
  /** What was delivered; without it, what was ordered. */
  usage?: Usage;
}

/**
 * Returns what the provider takes for an attempt, in nano-euros rounded up once: what it reported, now or at the submit,
 * otherwise the price of the route, or that of the model before the margin, times the units. Null when nobody knows.
 */
export function routeCost(
  hub: Pick<Hub, "env" | "catalogue">,
  { route, state, attempt, generation, usage }: RouteUse,
): Nano | null {
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
export const usdToEur = ({ env }: Pick<Hub, "env">, usd: Nano): Nano => mulCeil(usd, parseDecimal(env.EUR_PER_USD));
