import { notNull, nullable, text, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { retryWhileUnavailable } from "../../../lib/retry-while-unavailable";
import { withTimeout } from "../../../lib/with-timeout";
import { ApiError } from "../../../providers/http/call-api";
import { pollDelaySeconds } from "../../../providers/http/poll-delay";
import type { JobState } from "../../../providers/job";
import { findAttempts, holdClaim, recordProgress, renewClaim, type Run } from "../attempts";
import { reportChange } from "../changes";
import { reportLive } from "../live";
import { attemptLost, type Failure, neverStarted, timedOut, unroutable } from "../row";
import { generationColumns, generationSql } from "../row/sql";
import { annotateCharge, runInGenAiSpan } from "../../metrics";
import { usdToEur } from "../../pricing";
import { releaseTrial } from "../../routing";
import { askProvider } from "./ask-provider";
import { beginAttempt, type Step, submitTimeoutMs } from "./begin-attempt";
import { buyElsewhere } from "./buy-elsewhere";
import { canCallBack } from "./callback-url";
import { canHasten, cancelIfRequested, cancelLateJob, cancelPollSeconds, endStopped } from "./cancel-job";
import { findAttemptRoute } from "./choose-route";
import { decideRetry } from "./decide-retry";
import { askAgain, deliverOutputs } from "./deliver-outputs";
import type { RunHub } from "./hub";
import { createInlineOutputs, type InlineOutputs } from "./inline-outputs";
import { isStorageAway } from "./is-storage-away";
import {
  type AttemptContext,
  attemptCost,
  type ClaimedGeneration,
  isEnding,
  type NextAction,
  timeLeftMs,
} from "./next-action";

/** How long the final poll after the deadline may take. */
const MAX_FINAL_POLL_MS = 15_000;
/** The shortest delay after a provider could not be read, and the longest that it may ask for. */
const MIN_RETRY_SECONDS = 3;
const MAX_RETRY_SECONDS = 60;
/** How often a run checks whether the key of its job is set again. */
const WAIT_FOR_KEY_SECONDS = 15;
/** How often a run checks for a job that only a callback can report. */
const WAIT_FOR_CALLBACK_SECONDS = 15;

/**
 * Runs attempt `n` of a generation: submits it to a provider, or polls the job that was submitted before. It may be
 * repeated at any point, by the same run or one that took over, because a submitted job is never submitted again. After
 * the deadline the provider is polled once more before the generation fails.
 */
export async function runAttempt(hub: RunHub, run: Run, n: number): Promise<NextAction> {
  const inlineOutputs = createInlineOutputs(hub);
  try {
    const action = await holdClaim(hub, run, (signal) => advanceAttempt(hub, { run, n, signal, inlineOutputs }));
    return action ?? { next: "stop" };
  } finally {
    inlineOutputs.release();
  }
}

async function advanceAttempt(hub: RunHub, step: Step): Promise<NextAction> {
  const { run } = step;
  const generation = await findClaimed(hub, run);
  if (!generation) return { next: "stop" };
  return runInGenAiSpan(hub, { operation: "generate_content", generation }, async () => {
    const action = await advanceGeneration(hub, step, generation);
    if (isEnding(action)) {
      const cost = action.attempt?.cost;
      const errorType = action.next === "fail" ? action.error.code : "";
      annotateCharge(hub, { cost: cost === undefined ? null : BigInt(cost), errorType });
    }
    return action;
  });
}

async function advanceGeneration(hub: RunHub, step: Step, generation: ClaimedGeneration): Promise<NextAction> {
  const { run, n, signal, inlineOutputs } = step;
  const attempts = await findAttempts(hub, run.generationId);
  const attempt = attempts.find((other) => other.n === n);
  const leftMs = timeLeftMs(hub, generation, attempt?.delivered_at);
  if (!attempt || attempt.reserved) {
    if (generation.cancel_requested_at !== null) return { next: "cancel", cost: "0" };
    const begun = await beginAttempt(hub, step, { generation, attempts, leftMs, reserved: attempt });
    return "next" in begun ? begun : applyState(hub, begun.context, begun.state);
  }
  if (attempt.outcome) return { next: "attempt", pauseSeconds: 0 };
  const route = findAttemptRoute(hub, generation, attempt);
  if (!route) return { next: "fail", error: unroutable, attempt: { outcome: "lost" } };
  const context: AttemptContext = { generation, run, attempt, route, attempts, leftMs, isResumed: true, signal };
  return resumeAttempt(hub, context, inlineOutputs);
}

/**
 * Returns the run's generation, or undefined when the run does not hold it. An expired claim is renewed first, which
 * extends the deadline by the time without an active run.
 */
async function findClaimed(hub: RunHub, run: Run): Promise<ClaimedGeneration | undefined> {
  const find = async () => (await selectClaimed(hub.db, run.generationId, run.runId))[0];
  const generation = await find();
  if (!generation || generation.claim_expires_at > hub.now()) return generation;
  await renewClaim(hub, run);
  return find();
}

const selectClaimed = statement({
  params: [uuid, text],
  row: {
    ...generationColumns,
    claim_expires_at: notNull(timestamptz),
    cancel_requested_at: nullable(timestamptz),
    cancel_refused_at: nullable(timestamptz),
  },
  text: `
    SELECT ${generationSql}, g.claim_expires_at, g.cancel_requested_at, g.cancel_refused_at FROM generation g WHERE g.id = $1 AND g.run_id = $2 AND g.status = 'running'`,
});

async function resumeAttempt(hub: RunHub, context: AttemptContext, inlineOutputs: InlineOutputs): Promise<NextAction> {
  const { run, attempt, leftMs } = context;
  if (attempt.delivered_at !== null && leftMs > 0 && (await isStorageAway(hub))) return askAgain(hub, context);
  if (context.route.provider.missing.length > 0) return waitForKey(hub, context);
  const stopped = await cancelIfRequested(hub, context);
  if (stopped) return stopped;
  const state = await pollProvider(hub, context, inlineOutputs);
  if (state === "never-arrived") return applyState(hub, context, neverStarted);
  if (state === "unknown") return waitForSubmit(hub, context);
  if (!(state instanceof ApiError)) return applyState(hub, context, state);
  const pollAfterSeconds = retrySeconds(hub, context, state);
  if (!(await renewClaim(hub, run, pollAfterSeconds * 1000))) return { next: "stop" };
  return { next: "poll", pollAfterSeconds, callsBack: canHasten(hub, context.route) };
}

/** Returns the seconds until a provider that could not be read is asked again: no sooner than one that can be read. */
function retrySeconds(hub: RunHub, { attempt, leftMs }: AttemptContext, { retryAfter }: ApiError): number {
  const seconds = retryAfter ?? pollDelaySeconds({ openedAt: attempt.started_at }, hub);
  return Math.min(leftMs / 1000, MAX_RETRY_SECONDS, Math.max(MIN_RETRY_SECONDS, seconds));
}

/** Returns what follows when the key of a submitted job is gone: the operator may still set it again within the time limit. */
async function waitForKey(hub: RunHub, context: AttemptContext): Promise<NextAction> {
  const { generation, run, route, leftMs } = context;
  hub.log.warn({ generation: generation.id, route: route.id }, "job not polled: its provider's key is not set");
  if (leftMs <= 0)
    return { next: "fail", error: attemptLost, attempt: { outcome: "lost", cost: attemptCost(hub, context) } };
  const pollAfterSeconds = Math.min(leftMs / 1000, WAIT_FOR_KEY_SECONDS);
  if (!(await renewClaim(hub, run, pollAfterSeconds * 1000))) return { next: "stop" };
  return { next: "poll", pollAfterSeconds, callsBack: false };
}

async function pollProvider(
  hub: RunHub,
  { generation, route, attempt, leftMs, signal }: AttemptContext,
  inlineOutputs: InlineOutputs,
): Promise<JobState | "never-arrived" | "unknown" | ApiError> {
  const isFinal = leftMs <= 0;
  const kind = attempt.upstream_id === null ? "recover" : "poll";
  try {
    return await withTimeout(isFinal ? MAX_FINAL_POLL_MS : leftMs, signal, (limit) =>
      askProvider(hub, generation, { kind, attempt, route, inlineOutputs }, limit),
    );
  } catch (error) {
    if (isFinal) return "unknown";
    if (!(error instanceof ApiError)) throw error;
    hub.log.warn({ generation: generation.id, route: route.id, reason: error.message }, "provider not readable");
    return error;
  }
}

/** Returns what follows when the provider cannot find the job of an attempt. */
async function waitForSubmit(hub: RunHub, context: AttemptContext): Promise<NextAction> {
  const { leftMs, route, attempt, run } = context;
  const failWith = (error: Failure): NextAction => {
    const outcome = attempt.upstream_id === null ? "lost" : "failed";
    return { next: "fail", error, attempt: { outcome, cost: attemptCost(hub, context) } };
  };
  if (leftMs <= 0) {
    await cancelLateJob(hub, context);
    return failWith(timedOut);
  }
  // Another process may still be submitting and about to store the result.
  const submitLeftMs = attempt.started_at.getTime() + submitTimeoutMs(hub, route) - hub.now().getTime();
  if (submitLeftMs <= 0) {
    const isUnknown = attempt.upstream_id === null;
    const again = isUnknown && (await buyElsewhere(hub, context, { cost: attemptCost(hub, context) }));
    if (again) return again;
    if (!isUnknown || !canCallBack(hub, route)) return failWith(attemptLost);
  }
  const pollAfterSeconds =
    submitLeftMs > 0 ? Math.min(submitLeftMs / 1000, WAIT_FOR_CALLBACK_SECONDS) : WAIT_FOR_CALLBACK_SECONDS;
  if (!(await renewClaim(hub, run, pollAfterSeconds * 1000))) return { next: "stop" };
  return { next: "poll", pollAfterSeconds, callsBack: canHasten(hub, route) };
}

async function applyState(hub: RunHub, context: AttemptContext, state: JobState): Promise<NextAction> {
  const { route, run, attempt, leftMs, signal } = context;
  const { routeHealth } = hub.services;
  if (state.state === "failed") {
    const ending = await endStopped(hub, context, state);
    if (ending) {
      // The provider has stopped the job as it was asked to, so the route works.
      routeHealth.recordFailure(route, { ...state, cause: "job" }, attempt.started_at);
      return ending;
    }
    if (state.error.code !== "input_unavailable") routeHealth.recordFailure(route, state, attempt.started_at);
    // The route was not asked, so another generation may try whether it works again.
    else if (routeHealth.hasOpen()) await releaseTrial(hub, hub.db, route, run.generationId);
    return decideRetry(hub, context, state);
  }
  if (state.state === "succeeded") {
    routeHealth.recordSuccess(route, attempt.started_at);
    return deliverOutputs(hub, context, state);
  }
  const isAccepted = attempt.upstream_id === null;
  if (isAccepted) routeHealth.recordSuccess(route, attempt.started_at);
  const { costUsd, log: lines, preview, ...report } = state;
  const cost = costUsd === undefined ? null : usdToEur(hub, costUsd);
  if (leftMs <= 0) {
    await cancelLateJob(hub, { ...context, attempt: { ...attempt, upstream_id: state.upstreamId } });
    return { next: "fail", error: timedOut, attempt: { outcome: "failed", cost: attemptCost(hub, context) } };
  }
  // Only this step knows the id of the job.
  const recorded = await retryWhileUnavailable(() => recordProgress(hub, run, attempt.n, { ...report, cost }), signal);
  if (!recorded) return { next: "stop" };
  reportChange(hub, run.generationId);
  await reportLive(hub, { ...run, attempt: attempt.n }, { lines, preview });
  // A callback that arrived before the response to the submit found no run that waited for it.
  const pollAfterSeconds = recorded.hasReported
    ? 0
    : cancelPollSeconds(hub, context, recorded.isCancelRequested, state.pollAfterSeconds);
  return { next: "poll", pollAfterSeconds, callsBack: canHasten(hub, route) };
}
