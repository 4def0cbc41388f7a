import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import type { JobState } from "../../providers/provider";
import { askProvider, getProvider } from "./ask-provider";
import { type AttemptRow, findAttempts, openAttempt, recordProgress } from "./attempts";
import { holdClaim, renewClaim, type Run } from "./claim";
import { decideRetry } from "./decide-retry";
import { attemptLost, timedOut, unroutable } from "./failures";
import { type Generation, generationSql } from "./generation";
import type { NextAction, AttemptContext } from "./next-action";
import { pickRoute } from "./pick-route";
import { storeOutputs } from "./store-outputs";

/** How long one submit may take where its provider does not say. */
export const MAX_SUBMIT_MS = 60_000;
/** How long a provider is asked for work whose time is over. */
const LAST_QUESTION_MS = 15_000;

/**
 * Works on attempt `n` of a running generation: submits it to a provider, or asks for a job submitted before. It may be
 * repeated at any point, by its run or by one that took over: what was submitted is asked for, and never submitted
 * again. When the deadline is over, the provider is asked once more before the generation fails.
 */
export async function runAttempt(hub: Hub, run: Run, n: number): Promise<NextAction> {
  return (await holdClaim(hub, run, (signal) => attempt(hub, run, n, signal))) ?? { next: "stop" };
}

async function attempt(hub: Hub, run: Run, n: number, signal: AbortSignal): Promise<NextAction> {
  const generation = await findClaimed(hub, run);
  if (!generation) return { next: "stop" };
  const attempts = await findAttempts(hub, run.generationId);
  const opened = attempts.find((one) => one.n === n);
  if (opened?.outcome) return { next: "attempt", pauseSeconds: 0 };
  const leftMs = remainingMs(hub, generation);
  if (leftMs <= 0 && !opened) return { next: "fail", error: timedOut, attempt: { outcome: "failed" } };
  const route = pickRoute(hub, generation, attempts, n);
  if (!route) return { next: "fail", error: unroutable, attempt: { outcome: opened ? "lost" : "refused" } };
  const work = { generation, run, n, route, attempts, leftMs, signal };
  if (!opened) return submit(hub, work);
  const state = await ask(hub, work, opened);
  return state === "cannot-tell" ? waitOrLose(hub, work, opened) : proceed(hub, work, state);
}

/** Reads the run's generation, whose deadline moves on by the time in which its run was silent; undefined when it is not the run's. */
async function findClaimed(hub: Hub, run: Run): Promise<Generation | undefined> {
  const find = async () => {
    const [row] = await hub.db.query<Generation & { claim_expires_at: Date }>(findClaimedSql, [
      run.generationId,
      run.runId,
    ]);
    return row;
  };
  const generation = await find();
  if (!generation || generation.claim_expires_at > hub.now()) return generation;
  await renewClaim(hub, run);
  return find();
}

const findClaimedSql = `
  SELECT ${generationSql}, g.claim_expires_at FROM generation g WHERE g.id = $1 AND g.run_id = $2 AND g.status = 'running'`;

function remainingMs(hub: Hub, { deadline_at, timeout_seconds }: Generation): number {
  const untilDeadlineMs = deadline_at!.getTime() - hub.now().getTime();
  // After the clock went back, the deadline lies farther ahead until the sweep has pulled it back.
  return Math.min(untilDeadlineMs, timeout_seconds * 1000);
}

async function submit(hub: Hub, work: AttemptContext): Promise<NextAction> {
  const { generation, run, n, route, leftMs, signal } = work;
  const submitMs = Math.min(leftMs, submitTimeoutMs(hub, route));
  const opened = await openAttempt(hub, run, { n, route, submitMs });
  // Opened meanwhile by the same step in another process, or taken over: the next look tells.
  if (!opened) return { next: "poll", pollAfterSeconds: 1, callsBack: false };
  hub.log.debug({ generation: generation.id, attempt: n, route: route.id }, "submitting to the provider");
  const limit = AbortSignal.any([signal, AbortSignal.timeout(submitMs)]);
  const state = await askProvider(hub, generation, { kind: "submit", attempt: opened, route }, limit);
  return proceed(hub, work, state as JobState);
}

async function ask(hub: Hub, work: AttemptContext, opened: AttemptRow): Promise<JobState | "cannot-tell"> {
  const { generation, route, leftMs, signal } = work;
  const isLast = leftMs <= 0;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(isLast ? LAST_QUESTION_MS : leftMs)]);
  const kind = opened.upstream_id === null ? "recover" : "poll";
  const asked = askProvider(hub, generation, { kind, attempt: opened, route }, limit);
  return isLast ? asked.catch(() => "cannot-tell" as const) : asked;
}

const submitTimeoutMs = (hub: Hub, route: Route): number => getProvider(hub, route).submitTimeoutMs ?? MAX_SUBMIT_MS;

function waitOrLose(hub: Hub, { leftMs, route }: AttemptContext, { started_at, upstream_id }: AttemptRow): NextAction {
  const outcome = upstream_id === null ? "lost" : "failed";
  if (leftMs <= 0) return { next: "fail", error: timedOut, attempt: { outcome } };
  // The submit may still be under way, in a process that is about to write down what it came to.
  const submitMs = submitTimeoutMs(hub, route);
  const submitLeftMs = started_at.getTime() + submitMs - hub.now().getTime();
  if (submitLeftMs <= 0) return { next: "fail", error: attemptLost, attempt: { outcome } };
  return { next: "poll", pollAfterSeconds: Math.min(submitLeftMs, submitMs) / 1000, callsBack: false };
}

async function proceed(hub: Hub, work: AttemptContext, state: JobState): Promise<NextAction> {
  if (state.state === "succeeded") return storeOutputs(hub, work.generation, state);
  if (state.state === "failed") return decideRetry(hub, work, state);
  if (work.leftMs <= 0) return { next: "fail", error: timedOut, attempt: { outcome: "failed" } };
  const { upstreamId, progress, pollAfterSeconds: pollAfterSeconds } = state;
  const isHeld = await recordProgress(hub, work.run, work.n, { upstreamId, progress, pollAfterSeconds });
  if (!isHeld) return { next: "stop" };
  return { next: "poll", pollAfterSeconds, callsBack: getProvider(hub, work.route).callback !== undefined };
}
