import type { Route } from "../../../catalogue/model";
import type { FailedJob } from "../../../providers/job";
import { routeCost } from "../../pricing";
import type { AttemptEnd, AttemptRow } from "../attempts";
import { attemptLost, timedOut } from "../row";
import { getProvider } from "./ask-provider";
import { canCallBack } from "./callback-url";
import { hasUntriedRoute } from "./choose-route";
import { closeAttempt } from "./close-attempt";
import type { RunHub } from "./hub";
import type { AttemptContext, NextAction } from "./next-action";

/** A run that never gets through ends, although its deadline may be hours away. */
const MAX_ATTEMPTS = 30;
const MAX_INPUT_FAILURES = 3;
const RETRY_DELAYS_SECONDS = [1, 5, 15, 30];
/** Failures that another route cannot mend. */
const FINAL_CODES = ["content_refused", "input_unavailable"];

/**
 * Decides what follows a failed attempt: the next route or a later attempt when this one certainly did not begin the
 * work, a new submit when it began and the route allows to pay again, a search for the job when nobody knows, or the
 * failure of the generation.
 */
export async function decideRetry(hub: RunHub, context: AttemptContext, failure: FailedJob): Promise<NextAction> {
  const { run, attempt, attempts, leftMs } = context;
  if (failure.started === "unknown") return handleUnknown(hub, context, failure);
  const end = describeEnd(hub, context, failure);
  const ended = attempts.map((other) => (other.id === attempt.id ? { ...other, ...end, cost: null } : other));
  const pauseSeconds = leftMs > 0 && attempts.length < MAX_ATTEMPTS ? nextPause(hub, context, failure, ended) : null;
  if (pauseSeconds === null || pauseSeconds * 1000 >= leftMs)
    return { next: "fail", error: failure.error, attempt: end };
  await closeAttempt(hub, run, attempt.n, { ...end, pauseSeconds, code: failure.error.code });
  return { next: "attempt", pauseSeconds };
}

/** Returns the seconds until the next attempt; null when there is none. */
function nextPause(
  hub: RunHub,
  { route, generation }: AttemptContext,
  { error, started, cause, retryAfter }: FailedJob,
  ended: Pick<AttemptRow, "route" | "outcome" | "cause">[],
): number | null {
  const failures = ended.filter(({ outcome }) => outcome === "failed").length;
  if (FINAL_CODES.includes(error.code)) {
    const isWorthIt = error.code === "input_unavailable" && error.retryable && ended.length < MAX_INPUT_FAILURES;
    return isWorthIt ? delayAfter(ended.length) : null;
  }
  if (started === "yes") return error.retryable && failures <= route.retryStarted ? delayAfter(failures) : null;
  if (hasUntriedRoute(hub, generation, ended)) return 0;
  // The route is full or down, and may have recovered until then.
  return cause === "capacity" || cause === "outage" ? (retryAfter ?? delayAfter(ended.length)) : null;
}

const delayAfter = (failures: number): number =>
  RETRY_DELAYS_SECONDS[Math.min(failures, RETRY_DELAYS_SECONDS.length) - 1]!;

function describeEnd(hub: RunHub, { route, generation, attempt }: AttemptContext, failure: FailedJob): AttemptEnd {
  const { started, cause, upstreamStatus } = failure;
  const isInput = failure.error.code === "input_unavailable";
  // A refused attempt alone counts nothing.
  const noCost = isInput ? "0" : undefined;
  return {
    outcome: started === "no" && !isInput ? "refused" : "failed",
    upstreamStatus,
    cause,
    cost: started === "no" ? noCost : routeCost(hub, { route, state: failure, attempt, generation })?.toString(),
  };
}

/**
 * Leaves an attempt open that was just submitted while the provider can be asked or may report. When the provider that
 * was asked does not know either, the work may have been bought.
 */
function handleUnknown(hub: RunHub, context: AttemptContext, failure: FailedJob): NextAction {
  const { route, attempt, generation, isResumed, leftMs } = context;
  if (!isResumed && canFindJob(hub, route)) return { next: "poll", pollAfterSeconds: 1, callsBack: true };
  const { upstreamStatus, cause } = failure;
  const cost = routeCost(hub, { route, state: failure, attempt, generation })?.toString();
  const error = leftMs > 0 ? attemptLost : timedOut;
  return { next: "fail", error, attempt: { outcome: "lost", upstreamStatus, cause, cost } };
}

/** Returns whether a job whose submit has returned no id can be found: by asking the provider, or by its callback. */
const canFindJob = (hub: RunHub, route: Route): boolean =>
  getProvider(hub, route).recover !== undefined || canCallBack(hub, route);
