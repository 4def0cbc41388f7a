import type { Model, Route } from "../../catalogue/model";

/** Returns a model's routes in the order in which they are tried: the operator's, or the cheapest first. */
export function sortRoutes({ routes, routing }: Pick<Model, "routes" | "routing">): Route[] {
  if (routing === "order") return routes;
  // A route without a price comes last, because nobody knows what it takes.
  const price = ({ priceUsd }: Route) => (priceUsd === null ? Infinity : Number(priceUsd));
  return routes.toSorted((a, b) => price(a) - price(b));
}
