import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { newId } from "../../lib/id";
import type { AttemptRow, PassedOverRoute, SkipReason } from "../generations/attempts";
import type { Generation } from "../generations/generation";
import { checkCapacity } from "../generations/provider-capacity";
import { sortRoutes } from "../routing/sort-routes";
import { unsupportedParameters } from "../routing/route-parameters";

/** The route of the next attempt with those passed over, the time until one can be tried, or `none` is left. */
export type RouteChoice =
  { route: Route; passedOver: PassedOverRoute[] } | { waitSeconds: number; passedOver: PassedOverRoute[] } | "none";

type EndedAttempt = Pick<AttemptRow, "route" | "outcome" | "cause">;

/** Returns the route that an attempt was opened with; undefined when it has been removed from the catalogue. */
export const findAttemptRoute = (
  hub: Hub,
  { model }: Pick<Generation, "model">,
  { route }: Pick<AttemptRow, "route">,
): Route | undefined => hub.catalogue.get(model)?.routes.find(({ id }) => id === route);

/** Returns the routes that an input may still be sent to, in the order in which they are tried. */
export function untriedRoutes(
  hub: Hub,
  { model: modelId, input }: Pick<Generation, "model" | "input">,
  ended: EndedAttempt[],
): Route[] {
  const tried = new Set(ended.map(({ route }) => route));
  return usableRoutes(hub, { model: modelId, input }, ended).filter(({ id }) => !tried.has(id));
}

/**
 * Returns the routes that can serve an input, without those that have rejected it or whose key or model is wrong. Those
 * that were full or down may be tried again.
 */
function usableRoutes(
  hub: Hub,
  { model: modelId, input }: Pick<Generation, "model" | "input">,
  ended: EndedAttempt[],
): Route[] {
  const model = hub.catalogue.get(modelId);
  if (!model) return [];
  const isRejected = ({ id }: Route) =>
    ended.some(({ route, outcome, cause }) => {
      if (route !== id || outcome !== "refused") return false;
      return cause !== "capacity" && cause !== "outage";
    });
  return sortRoutes(model).filter(
    (route) =>
      hub.providers[route.provider.kind]?.submit !== undefined &&
      route.provider.missing.length === 0 &&
      unsupportedParameters(route, input).length === 0 &&
      !isRejected(route),
  );
}

/**
 * Chooses the route of the next attempt: the first that can serve the input and is neither cooling down nor full; one that
 * was not tried yet before one that was.
 */
export async function chooseRoute(hub: Hub, generation: Generation, ended: EndedAttempt[]): Promise<RouteChoice> {
  const usable = usableRoutes(hub, generation, ended);
  if (usable.length === 0) return "none";
  const tried = new Set(ended.map(({ route }) => route));
  const inOrder = [...usable.filter(({ id }) => !tried.has(id)), ...usable.filter(({ id }) => tried.has(id))];
  const passedOver = describeUnusable(hub, generation);
  let waitSeconds = Infinity;
  for (const route of inOrder) {
    const obstacle = hub.services.routeHealth.admit(route) ?? (await checkCapacity(hub, route.provider));
    if (!obstacle) return { route, passedOver };
    passedOver.push(toPassedOver(route, obstacle.skipped));
    waitSeconds = Math.min(waitSeconds, obstacle.waitSeconds);
  }
  return { waitSeconds, passedOver };
}

/** Returns the model's routes that cannot serve the input at all, and why. */
function describeUnusable(hub: Hub, { model, input }: Generation): PassedOverRoute[] {
  return hub.catalogue.get(model)!.routes.flatMap((route) => {
    if (route.provider.missing.length > 0) return [toPassedOver(route, "missing_key")];
    return unsupportedParameters(route, input).length > 0 ? [toPassedOver(route, "cannot_express")] : [];
  });
}

const toPassedOver = ({ id: route, provider: { kind } }: Route, skipped: SkipReason): PassedOverRoute => ({
  ...{ id: newId(), route, provider: kind, skipped },
});
