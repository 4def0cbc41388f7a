import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import type { FailedJob, FailureCause } from "../../providers/provider";
import { saveRouteHealth } from "./save-route-health";

const FAILURE_WINDOW_MS = 60_000;
const FAILURES_TO_OPEN = 3;
const FIRST_OUTAGE_MS = 30_000;
const MAX_OUTAGE_MS = 600_000;
const ACCOUNT_MS = 300_000;
const CAPACITY_MS = 10_000;
/** A trial that has not told its result for this long is followed by another. */
const TRIAL_MS = 300_000;
const AFTER_TRIAL_SECONDS = 2;
/** How old the stored time of the last success may be. */
const SAVE_INTERVAL_MS = 60_000;

/** The circuit breaker of a route. Times are in milliseconds of `hub.now()`. */
export interface Breaker {
  /** No attempt is made until then. */
  openUntil: number;
  /** Consecutive openings. */
  openings: number;
  reason: Exclude<FailureCause, "job"> | null;
  /** Since when one attempt tries whether the route works again. */
  trialSince: number | null;
  outages: number[];
  savedAt: number;
}

/**
 * The circuit breakers of all routes. A breaker opens after three outages within a minute, at once when the key, the
 * credit or the model is wrong, and for the time that a full provider names. Then one job tries the route. Failures that
 * are due to the job itself never open it.
 */
export interface RouteHealth {
  /** Returns why the route cannot be tried now, and for how long; null if it can. An open breaker's first trial counts. */
  admit(route: Route): { skipped: "cooling_down"; waitSeconds: number } | null;
  recordSuccess(route: Route): void;
  recordFailure(route: Route, failure: FailedJob): void;
  /** Takes over what another process has stored. */
  restore(route: string, breaker: Pick<Breaker, "openUntil" | "openings" | "reason">): void;
}

/** Returns the circuit breakers of a process. */
export function createRouteHealth(hub: Hub): RouteHealth {
  const breakers = new Map<string, Breaker>();
  const find = ({ id }: Pick<Route, "id">): Breaker => {
    let breaker = breakers.get(id);
    if (!breaker) {
      breaker = { openUntil: 0, openings: 0, reason: null, trialSince: null, outages: [], savedAt: 0 };
      breakers.set(id, breaker);
    }
    return breaker;
  };
  return {
    admit(route) {
      const breaker = find(route);
      const now = hub.now().getTime();
      if (breaker.openUntil > now)
        return { skipped: "cooling_down", waitSeconds: Math.ceil((breaker.openUntil - now) / 1000) };
      if (breaker.openings === 0) return null;
      if (breaker.trialSince !== null && now - breaker.trialSince < TRIAL_MS)
        return { skipped: "cooling_down", waitSeconds: AFTER_TRIAL_SECONDS };
      breaker.trialSince = now;
      return null;
    },
    recordSuccess(route) {
      const breaker = find(route);
      const now = hub.now().getTime();
      const wasOpen = breaker.openings > 0;
      Object.assign(breaker, { openUntil: 0, openings: 0, reason: null, trialSince: null, outages: [] });
      if (!wasOpen && now - breaker.savedAt < SAVE_INTERVAL_MS) return;
      breaker.savedAt = now;
      saveRouteHealth(hub, route, breaker, null);
    },
    recordFailure(route, failure) {
      const { cause } = failure;
      if (cause === "job") {
        // The route has answered, so a trial has shown that it works.
        if (find(route).openings > 0) this.recordSuccess(route);
        return;
      }
      const breaker = find(route);
      const now = hub.now().getTime();
      breaker.outages = [...breaker.outages.filter((time) => now - time < FAILURE_WINDOW_MS), now];
      const isTrial = breaker.trialSince !== null;
      const opens = cause !== "outage" || isTrial || breaker.outages.length >= FAILURES_TO_OPEN;
      if (opens) {
        breaker.openUntil = Math.max(breaker.openUntil, now + openMs(failure, breaker.openings));
        breaker.openings += 1;
        Object.assign(breaker, { reason: cause, trialSince: null, outages: [] });
        if (cause === "account")
          hub.log.warn(
            { route: route.id, status: failure.upstreamStatus },
            "provider rejects the hub's key, credit or model",
          );
      }
      saveRouteHealth(hub, route, breaker, failure.error.message);
    },
    restore(route, stored) {
      Object.assign(find({ id: route }), stored);
    },
  };
}

function openMs({ cause, retryAfter }: FailedJob, openings: number): number {
  if (cause === "account") return ACCOUNT_MS;
  if (cause === "capacity") return (retryAfter ?? 0) * 1000 || CAPACITY_MS;
  return Math.min(MAX_OUTAGE_MS, FIRST_OUTAGE_MS * 2 ** openings);
}
