import type { Route } from "../../catalogue/model";
import type { RouteHealth, RoutingHub } from "./hub";
import { type Breaker, type BreakerState, closeBreaker, createBreaker, openBreaker, setBreaker } from "./breaker";
import type { RouteFailure } from "./breaker";
import { saveBreaker, saveOutcome } from "./stored-route-health";

const AFTER_TRIAL_SECONDS = 2;
/** How often at most the time of a route's last success is stored. */
const SAVE_INTERVAL_MS = 60_000;

/** Returns the circuit breakers of a process. */
export function createRouteHealth(hub: RoutingHub): RouteHealth {
  const breakers = new Map<string, Breaker>();
  const openRoutes = new Set<string>();
  const find = (id: string): Breaker => {
    let breaker = breakers.get(id);
    if (!breaker) breakers.set(id, (breaker = createBreaker()));
    return breaker;
  };
  const onChange = (id: string, { openedAt }: BreakerState) =>
    openedAt === null ? openRoutes.delete(id) : openRoutes.add(id);
  const closeAfter = (route: Route, breaker: Breaker, startedAt: Date) => {
    if (!closeBreaker(breaker, startedAt.getTime(), hub.now().getTime())) return;
    onChange(route.id, breaker);
    saveBreaker(hub, route, breaker);
    hub.log.info({ route: route.id }, "route works again");
  };
  return {
    check(id, generationId) {
      if (!openRoutes.has(id)) return "usable";
      const { openUntil, trial } = find(id);
      const now = hub.now().getTime();
      if (openUntil > now) return { waitSeconds: Math.ceil((openUntil - now) / 1000) };
      const isOnTrial = trial !== null && trial.until > now && trial.generationId !== generationId;
      return isOnTrial ? { waitSeconds: AFTER_TRIAL_SECONDS } : "trial";
    },
    hasOpen: () => openRoutes.size > 0,
    beginTrial(id, generationId, seconds) {
      find(id).trial = { generationId, until: hub.now().getTime() + seconds * 1000 };
    },
    endTrial(id) {
      find(id).trial = null;
    },
    recordSuccess(route, startedAt) {
      const breaker = find(route.id);
      if (breaker.openedAt !== null) closeAfter(route, breaker, startedAt);
      const now = hub.now().getTime();
      if (now - breaker.successSavedAt < SAVE_INTERVAL_MS) return;
      breaker.successSavedAt = now;
      saveOutcome(hub, route, null);
    },
    recordFailure(route, failure, startedAt) {
      const breaker = find(route.id);
      // The failure is about the job, so the route itself works.
      if (failure.cause === "job") return closeAfter(route, breaker, startedAt);
      saveOutcome(hub, route, failure.error.message);
      if (!openBreaker(breaker, failure, startedAt.getTime(), hub.now().getTime())) return;
      onChange(route.id, breaker);
      saveBreaker(hub, route, breaker);
      logOpening(hub, route, breaker, failure);
    },
    restore(id, stored, changedAt) {
      const breaker = find(id);
      if (changedAt.getTime() <= breaker.changedAt) return;
      setBreaker(breaker, stored, changedAt.getTime());
      onChange(id, breaker);
    },
  };
}

function logOpening(
  hub: RoutingHub,
  { id, provider }: Route,
  { openUntil, openings, reason }: Breaker,
  failure: RouteFailure,
) {
  const details = {
    route: id,
    provider: provider.id,
    reason,
    status: failure.upstreamStatus,
    until: new Date(openUntil),
  };
  // The operator must correct the key, the credit or the model; other reasons are temporary.
  if (reason === "account" && openings === 1)
    hub.log.warn(details, "provider rejects the hub's key, credit or model; the route is not used");
  else hub.log.info(details, "route cools down");
}
