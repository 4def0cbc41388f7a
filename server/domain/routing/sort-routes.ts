import type { Model, Route } from "../../catalogue/model";
import type { Nano } from "../../lib/money";

/** Returns a model's routes in the order in which they are tried: the operator's, or the cheapest first. */
export function sortRoutes(
  { routes, routing }: Pick<Model, "routes" | "routing">,
  cost: (route: Route) => Nano | null,
): Route[] {
  if (routing === "order") return routes;
  // A route without a price comes last, because nobody knows what it takes.
  const priced = routes.map((route) => ({ route, cost: Number(cost(route) ?? Infinity) }));
  return priced.toSorted((a, b) => a.cost - b.cost).map(({ route }) => route);
}
