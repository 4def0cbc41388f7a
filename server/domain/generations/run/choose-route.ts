import { nameRoute } from "../../../catalogue/build-route";
import type { Route } from "../../../catalogue/model";
import { nameWithKey } from "../../../catalogue/provider-settings";
import { type AttemptRow, type PassedOverRoute, type RouteReason, toPassedOver } from "../attempts";
import type { Generation } from "../row";
import type { RouteWait, WaitReason } from "../queue";
import { routeCost } from "../../pricing";
import { sortRoutes, unsupportedParameters } from "../../routing";
import type { RunHub } from "./hub";

type EndedAttempt = Pick<AttemptRow, "route" | "outcome" | "cause">;

/** A route that may be tried now. */
export interface Candidate {
  route: Route;
  reason: RouteReason;
  /** The routes that come before it and are not tried. */
  passedOver: PassedOverRoute[];
  /** Whether the attempt tests if the route works again. */
  isTrial: boolean;
}

/** The routes of a generation that cannot be tried now. */
interface Obstacles {
  waits: RouteWait[];
  /** Until one of them may be tried. */
  waitSeconds: number;
}

/**
 * Returns the route that an attempt was opened with, with its key; undefined when the catalogue no longer has both. The key is
 * recognized by its variable if the provider has since got several keys, or has only one left.
 */
export function findAttemptRoute(
  hub: RunHub,
  { model }: Pick<Generation, "model">,
  { route, key }: Pick<AttemptRow, "route" | "key">,
): Route | undefined {
  const routes = hub.catalogue.get(model)?.routes ?? [];
  const namesOf = ({ provider: { catalogueId }, upstreamModel }: Route) =>
    [catalogueId, nameWithKey(catalogueId, key!)].map((id) => nameRoute(id, upstreamModel));
  return (
    routes.find(({ id }) => id === route) ??
    routes.find((other) => key !== null && other.provider.keyVariable === key && namesOf(other).includes(route))
  );
}

/** Returns the routes that can serve the generation, now or later. */
export const findRoutesLeft = (hub: RunHub, generation: Generation, ended: EndedAttempt[]): Route[] =>
  listRoutes(hub, generation, ended).routes.flatMap(({ route, flaw }) => (flaw === null ? [route] : []));

/** Returns whether a generation was not sent to a route yet. */
export const isUntried = ({ id }: Route, ended: Pick<EndedAttempt, "route">[]): boolean =>
  ended.every(({ route }) => route !== id);

interface ListedRoute {
  route: Route;
  /** Why it cannot serve the generation at all. */
  flaw: PassedOverRoute["skipped"] | null;
}

/**
 * Returns the model's routes in the order in which they are tried, without those that get no new work. Those that were full
 * or down may be tried again.
 */
function listRoutes(
  hub: RunHub,
  generation: Generation,
  ended: EndedAttempt[],
): { routes: ListedRoute[]; reason: RouteReason } {
  const model = hub.catalogue.get(generation.model);
  if (!model) return { routes: [], reason: "order" };
  const cost = (route: Route) => routeCost(hub, { route, state: {}, attempt: { cost: null }, generation });
  const sorted = sortRoutes(hub, { model, id: generation.id, cost });
  const isOpen = (route: Route) =>
    hub.providers[route.provider.kind]?.submit !== undefined &&
    !route.provider.isRetired &&
    !isClosedBy(ended, route, model.routes);
  return {
    routes: sorted.routes.filter(isOpen).map((route) => ({ route, flaw: findFlaw(route, generation.input) })),
    reason: ended.some(({ outcome }) => outcome === "lost") ? "bought_again" : sorted.reason,
  };
}

/**
 * Returns whether earlier attempts close a route to the generation: it has lost an answer or rejected the key, the credit
 * or the model, its provider has rejected the input, whatever the key, or the work began and failed on another route.
 */
function isClosedBy(ended: EndedAttempt[], { id, entry }: Route, routes: Route[]): boolean {
  const isSameEntry = (other: string) => routes.some((route) => route.id === other && route.entry === entry);
  // Only the route whose work failed may repeat it: its `retry_started` says how often that is paid for.
  const last = ended.findLast(({ outcome, cause }) => outcome !== "refused" && cause !== null);
  if (last?.outcome === "failed" && !isSameEntry(last.route)) return true;
  return ended.some(({ route, outcome, cause }) => {
    if (outcome === "lost") return route === id;
    if (outcome !== "refused" || cause === "capacity" || cause === "outage") return false;
    return cause === "job" ? isSameEntry(route) : route === id;
  });
}

function findFlaw(route: Route, input: Generation["input"]): PassedOverRoute["skipped"] | null {
  if (route.provider.missing.length > 0) return "missing_key";
  return unsupportedParameters(route, input).length > 0 ? "cannot_express" : null;
}

/** How long until a generation tries again by itself; a free place or the result of a trial wakes it earlier. */
const CAPACITY_SECONDS = 15;
const TRIAL_SECONDS = 2;

/**
 * Tries the routes of a generation one by one, untried ones first: `tryRoute` returns its result, or why the route cannot be
 * tried now. Returns the first result, what all routes wait for, or `none` if no route is left.
 */
export async function chooseRoute<T extends object>(
  hub: RunHub,
  generation: Generation,
  ended: EndedAttempt[],
  tryRoute: (candidate: Candidate) => Promise<T | WaitReason>,
): Promise<T | Obstacles | "none"> {
  const isNew = ({ route }: ListedRoute) => isUntried(route, ended);
  const { routes, reason } = listRoutes(hub, generation, ended);
  const passedOver: PassedOverRoute[] = [];
  const obstacles: Obstacles = { waits: [], waitSeconds: Infinity };
  for (const { route, flaw } of [...routes.filter(isNew), ...routes.filter((listed) => !isNew(listed))]) {
    if (flaw) {
      // Recorded once, before the first attempt.
      if (ended.length === 0) passedOver.push(toPassedOver(route, flaw));
      continue;
    }
    const state = hub.services.routeHealth.check(route.id, generation.id);
    const isOpen = typeof state === "object";
    const result = isOpen ? "cooling_down" : await tryRoute({ route, reason, passedOver, isTrial: state === "trial" });
    if (typeof result !== "string") return result;
    passedOver.push(toPassedOver(route, result));
    obstacles.waits.push({ awaits: result === "cooling_down" ? route.id : route.provider.id, reason: result });
    const seconds = isOpen ? state.waitSeconds : result === "cooling_down" ? TRIAL_SECONDS : CAPACITY_SECONDS;
    obstacles.waitSeconds = Math.min(obstacles.waitSeconds, seconds);
  }
  return obstacles.waits.length > 0 ? obstacles : "none";
}
