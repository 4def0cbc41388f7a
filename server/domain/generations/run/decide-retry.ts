import type { Route } from "../../../catalogue/model";
import { retryWhileUnavailable } from "../../../lib/retry-while-unavailable";
import type { FailedJob } from "../../../providers/job";
import type { AttemptEnd, AttemptRow } from "../attempts";
import { attemptLost, timedOut } from "../row";
import { getProvider } from "./ask-provider";
import { buyElsewhere } from "./buy-elsewhere";
import { canCallBack } from "./callback-url";
import { findRoutesLeft, isUntried } from "./choose-route";
import { closeAttempt } from "./close-attempt";
import type { RunHub } from "./hub";
import { type AttemptContext, attemptCost, type NextAction } from "./next-action";

/** Ends a run that keeps failing, although its deadline may be hours away. */
const MAX_ATTEMPTS = 30;
const MAX_INPUT_FAILURES = 3;
const RETRY_DELAYS_SECONDS = [1, 5, 15, 30];
/** Failures that no other route can fix. */
const FINAL_CODES = ["content_refused", "input_unavailable"];

/**
 * Decides what follows a failed attempt: the next route or a later attempt if the work certainly did not begin, another
 * submit if it began and the route allows paying twice, a search for the job if that is unknown, or the failure of the
 * generation.
 */
export async function decideRetry(hub: RunHub, context: AttemptContext, failure: FailedJob): Promise<NextAction> {
  const { run, attempt, attempts, leftMs, signal } = context;
  if (failure.started === "unknown") return handleUnknown(hub, context, failure);
  const end = describeEnd(hub, context, failure);
  const ended = attempts.map((other) => (other.id === attempt.id ? { ...other, ...end, cost: null } : other));
  const pauseSeconds = leftMs > 0 && attempts.length < MAX_ATTEMPTS ? nextPause(hub, context, failure, ended) : null;
  if (pauseSeconds === null || pauseSeconds * 1000 >= leftMs)
    return { next: "fail", error: failure.error, attempt: end };
  const closed = { ...end, pauseSeconds, code: failure.error.code };
  // Only this step knows what the provider has responded.
  await retryWhileUnavailable(() => closeAttempt(hub, run, attempt.n, closed), signal);
  return { next: "attempt", pauseSeconds };
}

/** Returns the seconds until the next attempt; null when there is none. */
function nextPause(
  hub: RunHub,
  { route, generation }: AttemptContext,
  { error, started, retryAfter }: FailedJob,
  ended: Pick<AttemptRow, "route" | "outcome" | "cause">[],
): number | null {
  const failures = ended.filter(({ outcome }) => outcome === "failed").length;
  if (FINAL_CODES.includes(error.code)) {
    const isWorthIt = error.code === "input_unavailable" && error.retryable && ended.length < MAX_INPUT_FAILURES;
    return isWorthIt ? delayAfter(ended.length) : null;
  }
  if (started === "yes") return error.retryable && failures <= route.retryStarted ? delayAfter(failures) : null;
  // Routes that were tried are full or down, and may recover.
  const left = findRoutesLeft(hub, generation, ended);
  if (left.some((other) => isUntried(other, ended))) return 0;
  if (left.length === 0) return null;
  // Of several, another one may be free sooner: the next attempt waits for whichever is first.
  const isOnlyOne = left.every(({ id }) => id === route.id);
  return (isOnlyOne ? retryAfter : undefined) ?? delayAfter(ended.length);
}

const delayAfter = (failures: number): number =>
  RETRY_DELAYS_SECONDS[Math.min(failures, RETRY_DELAYS_SECONDS.length) - 1]!;

function describeEnd(hub: RunHub, context: AttemptContext, failure: FailedJob): AttemptEnd {
  const { started, cause, upstreamStatus } = failure;
  if (started !== "no") return { outcome: "failed", upstreamStatus, cause, cost: attemptCost(hub, context, failure) };
  // A refused attempt is free in any case; others are free only with a cost of zero. An input has no cause in the route.
  return failure.error.code === "input_unavailable"
    ? { outcome: "failed", upstreamStatus, cost: "0" }
    : { outcome: "refused", upstreamStatus, cause };
}

/**
 * Leaves a just-submitted attempt open if the provider can be asked or may report. If the provider was asked and does not
 * know either, the work may have been billed, and is bought again only if the operator has chosen that.
 */
async function handleUnknown(hub: RunHub, context: AttemptContext, failure: FailedJob): Promise<NextAction> {
  const { route, isResumed, leftMs } = context;
  if (!isResumed && canFindJob(hub, route)) return { next: "poll", pollAfterSeconds: 1, callsBack: true };
  const { upstreamStatus, cause } = failure;
  const end = { upstreamStatus, cause, cost: attemptCost(hub, context, failure) };
  const again = await buyElsewhere(hub, context, end);
  const error = leftMs > 0 ? attemptLost : timedOut;
  return again ?? { next: "fail", error, attempt: { ...end, outcome: "lost" } };
}

/** Returns whether a job whose submit has returned no id can be found: by asking the provider, or by its callback. */
const canFindJob = (hub: RunHub, route: Route): boolean =>
  getProvider(hub, route).recover !== undefined || canCallBack(hub, route);
