import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { findRoutes } from "../routing/find-routes";
import type { AttemptRow } from "../generations/attempts";
import type { Generation } from "../generations/generation";

/**
 * Returns the route of attempt `n`: the one it was opened with, otherwise the first that has not rejected the work.
 * Undefined when none is left, or the model has been removed from the catalogue.
 */
export function pickRoute(
  hub: Hub,
  { model: modelId, input }: Generation,
  attempts: Pick<AttemptRow, "n" | "route" | "outcome">[],
  n: number,
): Route | undefined {
  const model = hub.catalogue.get(modelId);
  const routes = model ? findRoutes(hub, model, input) : [];
  const opened = attempts.find((attempt) => attempt.n === n);
  if (opened) return routes.find(({ id }) => id === opened.route);
  return routes.find(({ id }) => !attempts.some((attempt) => attempt.route === id && attempt.outcome === "refused"));
}
