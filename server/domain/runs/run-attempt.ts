import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { notNull, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { JobState } from "../../providers/provider";
import { type AttemptRow, findAttempts, openAttempt, recordProgress } from "../generations/attempts";
import { holdClaim, MAX_SUBMIT_MS, renewClaim, type Run } from "../generations/claim";
import { attemptLost, timedOut, unroutable } from "../generations/failures";
import { type Generation, generationSql, generationColumns } from "../generations/generation";
import { askProvider, getProvider } from "./ask-provider";
import { decideRetry, pickRoute } from "./decide-retry";
import type { NextAction, AttemptContext } from "./next-action";
import { storeOutputs } from "./store-outputs";

/** How long the final poll after the deadline may take. */
const MAX_FINAL_POLL_MS = 15_000;

/**
 * Runs attempt `n` of a generation: submits it to a provider, or polls the job that was submitted before. It may be
 * repeated at any point, by the same run or one that took over, because a submitted job is never submitted again. After
 * the deadline the provider is polled once more before the generation fails.
 */
export async function runAttempt(hub: Hub, run: Run, n: number): Promise<NextAction> {
  return (await holdClaim(hub, run, (signal) => advanceAttempt(hub, run, n, signal))) ?? { next: "stop" };
}

async function advanceAttempt(hub: Hub, run: Run, n: number, signal: AbortSignal): Promise<NextAction> {
  const generation = await findClaimed(hub, run);
  if (!generation) return { next: "stop" };
  const attempts = await findAttempts(hub, run.generationId);
  const opened = attempts.find((attempt) => attempt.n === n);
  if (opened?.outcome) return { next: "attempt", pauseSeconds: 0 };
  const leftMs = remainingMs(hub, generation);
  if (leftMs <= 0 && !opened) return { next: "fail", error: timedOut, attempt: { outcome: "failed" } };
  const route = pickRoute(hub, generation, attempts, n);
  if (!route) return { next: "fail", error: unroutable, attempt: { outcome: opened ? "lost" : "refused" } };
  const context = { generation, run, n, route, attempts, leftMs, signal };
  if (!opened) return submitAttempt(hub, context);
  const state = await pollProvider(hub, context, opened);
  return state === "cannot-tell" ? waitForSubmit(hub, context, opened) : applyState(hub, context, state);
}

/**
 * Returns the run's generation, or undefined when the run does not hold it. An expired claim is renewed first, which
 * extends the deadline by the time without an active run.
 */
async function findClaimed(hub: Hub, run: Run): Promise<Generation | undefined> {
  const find = async () => {
    const [row] = await selectClaimed(hub.db, run.generationId, run.runId);
    return row;
  };
  const generation = await find();
  if (!generation || generation.claim_expires_at > hub.now()) return generation;
  await renewClaim(hub, run);
  return find();
}

const selectClaimed = statement({
  params: [uuid, text],
  row: { ...generationColumns, claim_expires_at: notNull(timestamptz) },
  text: `
    SELECT ${generationSql}, g.claim_expires_at FROM generation g WHERE g.id = $1 AND g.run_id = $2 AND g.status = 'running'`,
});

function remainingMs(hub: Hub, { deadline_at, timeout_seconds }: Generation): number {
  const untilDeadlineMs = deadline_at!.getTime() - hub.now().getTime();
  // After the system clock was set back, the deadline is too far in the future until the sweep corrects it.
  return Math.min(untilDeadlineMs, timeout_seconds * 1000);
}

async function submitAttempt(hub: Hub, context: AttemptContext): Promise<NextAction> {
  const { generation, run, n, route, leftMs, signal } = context;
  const submitMs = Math.min(leftMs, submitTimeoutMs(hub, route));
  const opened = await openAttempt(hub, run, { n, route, submitMs });
  // The same step in another process has opened it, or another run has taken over. The next poll finds out which.
  if (!opened) return { next: "poll", pollAfterSeconds: 1, callsBack: false };
  hub.log.debug({ generation: generation.id, attempt: n, route: route.id }, "submitting to the provider");
  const limit = AbortSignal.any([signal, AbortSignal.timeout(submitMs)]);
  const state = await askProvider(hub, generation, { kind: "submit", attempt: opened, route }, limit);
  return applyState(hub, context, state as JobState);
}

async function pollProvider(hub: Hub, context: AttemptContext, opened: AttemptRow): Promise<JobState | "cannot-tell"> {
  const { generation, route, leftMs, signal } = context;
  const isFinal = leftMs <= 0;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(isFinal ? MAX_FINAL_POLL_MS : leftMs)]);
  const kind = opened.upstream_id === null ? "recover" : "poll";
  const response = askProvider(hub, generation, { kind, attempt: opened, route }, limit);
  return isFinal ? response.catch(() => "cannot-tell" as const) : response;
}

const submitTimeoutMs = (hub: Hub, route: Route): number => getProvider(hub, route).submitTimeoutMs ?? MAX_SUBMIT_MS;

function waitForSubmit(
  hub: Hub,
  { leftMs, route }: AttemptContext,
  { started_at, upstream_id }: AttemptRow,
): NextAction {
  const outcome = upstream_id === null ? "lost" : "failed";
  if (leftMs <= 0) return { next: "fail", error: timedOut, attempt: { outcome } };
  // Another process may still be submitting and about to store the result.
  const submitMs = submitTimeoutMs(hub, route);
  const submitLeftMs = started_at.getTime() + submitMs - hub.now().getTime();
  if (submitLeftMs <= 0) return { next: "fail", error: attemptLost, attempt: { outcome } };
  return { next: "poll", pollAfterSeconds: Math.min(submitLeftMs, submitMs) / 1000, callsBack: false };
}

async function applyState(hub: Hub, context: AttemptContext, state: JobState): Promise<NextAction> {
  if (state.state === "succeeded") return storeOutputs(hub, context.generation, state);
  if (state.state === "failed") return decideRetry(hub, context, state);
  if (context.leftMs <= 0) return { next: "fail", error: timedOut, attempt: { outcome: "failed" } };
  const { upstreamId, progress, pollAfterSeconds } = state;
  const isHeld = await recordProgress(hub, context.run, context.n, { upstreamId, progress, pollAfterSeconds });
  if (!isHeld) return { next: "stop" };
  return { next: "poll", pollAfterSeconds, callsBack: getProvider(hub, context.route).callback !== undefined };
}
