import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { mulCeil, type Nano, parseDecimal } from "../../lib/money";
import { countUnits, type Usage } from "./cost";

/** An attempt at a route, and what its provider said about the cost. */
interface RouteUse {
  route: Pick<Route, "priceUsd">;
  state: { costUsd?: Nano };
  attempt: { cost: Nano | null };
  generation: { price: unknown };
  /** What was delivered; without it, what was asked for. */
  usage?: Usage;
}

/**
 * Returns what the provider takes for an attempt, in nano-euros rounded up: what it told, now or at the submit, otherwise
 * the route's price times the units. Null when nobody knows.
 */
export function routeCost(hub: Pick<Hub, "env">, { route, state, attempt, generation, usage }: RouteUse): Nano | null {
  if (state.costUsd !== undefined) return usdToEur(hub, state.costUsd);
  if (attempt.cost !== null) return attempt.cost;
  if (route.priceUsd === null) return null;
  return usdToEur(hub, route.priceUsd * countUnits(generation.price, usage));
}

/** Returns an amount in nano-euros at today's rate, rounded up. */
export const usdToEur = ({ env }: Pick<Hub, "env">, usd: Nano): Nano => mulCeil(usd, parseDecimal(env.EUR_PER_USD));
