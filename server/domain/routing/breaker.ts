import type { FailureCause } from "../../providers/failure";
import type { FailedJob } from "../../providers/job";

const FAILURE_WINDOW_MS = 60_000;
const FAILURES_TO_OPEN = 3;
const FIRST_OUTAGE_MS = 30_000;
const MAX_OUTAGE_MS = 600_000;
const ACCOUNT_MS = 300_000;
const CAPACITY_MS = 10_000;

/** The circuit breaker of a route, as all processes know it. Times are in milliseconds of `hub.now()`. */
export interface BreakerState {
  /** When it opened; null while it is closed. */
  openedAt: number | null;
  /** No attempt is made until then. */
  openUntil: number;
  /** Consecutive openings for the same reason. */
  openings: number;
  reason: Exclude<FailureCause, "job"> | null;
}

/** A breaker with what one process knows of it. */
export interface Breaker extends BreakerState {
  changedAt: number;
  /** Times of recent outages while it is closed. */
  outages: number[];
  /** The generation that tries whether the route works again, and until when the others wait for its result. */
  trial: { generationId: string; until: number } | null;
  successSavedAt: number;
}

/** The failure of an attempt, as far as it is about its route. */
export type RouteFailure = Pick<FailedJob, "cause" | "retryAfter" | "upstreamStatus" | "error">;

const closed: BreakerState = { openedAt: null, openUntil: 0, openings: 0, reason: null };

/** Returns a breaker that is closed. */
export const createBreaker = (): Breaker => ({
  ...closed,
  changedAt: 0,
  outages: [],
  trial: null,
  successSavedAt: 0,
});

/** Changes a breaker's state. `changedAt` only grows, so that other processes apply the changes in their order. */
export function setBreaker(breaker: Breaker, state: BreakerState, now: number): void {
  Object.assign(breaker, state, { trial: null, outages: [], changedAt: Math.max(now, breaker.changedAt + 1) });
}

/** Closes an open breaker after an attempt that the route has answered. Returns whether it did. */
export function closeBreaker(breaker: Breaker, startedAt: number, now: number): boolean {
  if (breaker.openedAt === null || startedAt <= breaker.openedAt) return false;
  setBreaker(breaker, closed, now);
  return true;
}

/**
 * Opens a breaker after a failure that is due to its route: the third outage within a minute, or at once for another cause
 * or a failed trial. Returns whether it did. Ignores an attempt that began before the breaker opened.
 */
export function openBreaker(breaker: Breaker, failure: RouteFailure, startedAt: number, now: number): boolean {
  const { cause } = failure;
  const { openedAt } = breaker;
  if (cause === "job" || breaker.openUntil > now || (openedAt !== null && startedAt <= openedAt)) return false;
  breaker.outages = [...breaker.outages.filter((time) => now - time < FAILURE_WINDOW_MS), now];
  if (openedAt === null && cause === "outage" && breaker.outages.length < FAILURES_TO_OPEN) return false;
  const openings = breaker.reason === cause ? breaker.openings + 1 : 1;
  setBreaker(breaker, { openedAt: now, openUntil: now + openMs(failure, openings), openings, reason: cause }, now);
  return true;
}

function openMs({ cause, retryAfter }: RouteFailure, openings: number): number {
  if (cause === "account") return ACCOUNT_MS;
  if (cause === "capacity") return (retryAfter ?? 0) * 1000 || CAPACITY_MS;
  return Math.min(MAX_OUTAGE_MS, FIRST_OUTAGE_MS * 2 ** (openings - 1));
}
