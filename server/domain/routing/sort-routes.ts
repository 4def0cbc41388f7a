import { createHash } from "node:crypto";
import type { Model, Route, Routing } from "../../catalogue/model";
import type { Nano } from "../../lib/money";
import type { RoutingHub } from "./hub";

/** Why a route was tried before others: the model's routing, or `measuring` for a route whose speed is not known. */
export type OrderReason = Routing | "measuring";

interface SortedRoutes {
  routes: Route[];
  reason: OrderReason;
}

interface SortOptions {
  model: Pick<Model, "id" | "routes" | "routing">;
  /** The same id always gives the same order, unless measured speeds change. */
  id: string;
  /** Returns what this work costs on a route; null if unknown. */
  cost: (route: Route) => Nano | null;
}

/** Share of generations that first try a route whose speed has not been measured. */
const MEASURED_SHARE = 1 / 20;

/**
 * Returns a model's routes in the order in which they are tried. The keys of a provider stand together, and each comes first
 * as often as its weight says.
 */
export function sortRoutes(hub: Pick<RoutingHub, "services">, { model, id, cost }: SortOptions): SortedRoutes {
  const { routes, routing } = model;
  if (routes.length < 2) return { routes, reason: routing };
  const { rank, reason } = rankEntries(hub, { model, id, cost });
  const ranked = routes.map((route) => ({
    route,
    rank: rank(route),
    draw: draw(id, route.provider.id, route.provider.keyWeight),
  }));
  // Infinity minus itself is not a number, so equal ranks are compared first.
  const sorted = ranked.toSorted((a, b) =>
    a.rank !== b.rank ? a.rank - b.rank : a.route.entry - b.route.entry || a.draw - b.draw,
  );
  return { routes: sorted.map(({ route }) => route), reason };
}

/** Returns a function that ranks the entries of the catalogue: the lowest is tried first. */
function rankEntries(
  hub: Pick<RoutingHub, "services">,
  { model, id, cost }: SortOptions,
): { rank: (route: Route) => number; reason: OrderReason } {
  const { routing } = model;
  switch (routing) {
    case "order":
      return { rank: ({ entry }) => entry, reason: routing };
    case "cheapest":
      // A route without a price comes last, because its cost is unknown.
      return { rank: (route) => Number(cost(route) ?? Infinity), reason: routing };
    case "balanced":
      return { rank: ({ entry, weight }) => draw(id, `${entry}`, weight), reason: routing };
    case "fastest":
      return rankBySpeed(hub, model, id);
  }
}

function rankBySpeed(
  { services }: Pick<RoutingHub, "services">,
  model: SortOptions["model"],
  id: string,
): { rank: (route: Route) => number; reason: OrderReason } {
  const seconds = ({ entry }: Route) => services.routeTimes.find(model.id, entry);
  const measuredCount = model.routes.filter((route) => seconds(route) !== undefined).length;
  // While nothing is measured, the operator's order counts.
  const isMeasuring =
    measuredCount > 0 && measuredCount < model.routes.length && uniform(id, "measuring") < MEASURED_SHARE;
  const unknown = isMeasuring ? -1 : Infinity;
  return { rank: (route) => seconds(route) ?? unknown, reason: isMeasuring ? "measuring" : "fastest" };
}

/**
 * Returns a number for one of several candidates. The candidate with the lowest number is a random one for each id, with a
 * probability in proportion to its weight, and all processes agree on it without a shared counter.
 */
const draw = (id: string, candidate: string, weight: number): number => -Math.log(uniform(id, candidate)) / weight;

const BYTES = 6;

/** Returns a number above 0 and up to 1 that is random for each pair of texts. */
function uniform(id: string, candidate: string): number {
  const digest = createHash("sha256").update(`${id}\0${candidate}`).digest();
  return (digest.readUIntBE(0, BYTES) + 1) / 2 ** (8 * BYTES);
}
