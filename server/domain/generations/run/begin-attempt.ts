import type { Route } from "../../../catalogue/model";
import { withTimeout } from "../../../lib/with-timeout";
import type { JobState } from "../../../providers/job";
import { type AttemptRow, MAX_SUBMIT_MS, renewClaim, type Run } from "../attempts";
import { timedOut, unroutable } from "../row";
import { recordWaits } from "../queue";
import { closeAttempt } from "./close-attempt";
import type { RunHub } from "./hub";
import { openAttempt } from "./open-attempt";
import { askProvider, getProvider, type ProviderRequest } from "./ask-provider";
import { chooseRoute, findAttemptRoute } from "./choose-route";
import type { InlineOutputs } from "./inline-outputs";
import { isStorageAway } from "./is-storage-away";
import { submitUntilCanceled } from "./cancel-job";
import type { AttemptContext, ClaimedGeneration, NextAction } from "./next-action";
import { openOnRoute } from "./take-place";

const MAX_WAIT_SECONDS = 30;
const STORAGE_WAIT_SECONDS = 5;

/** A step of a run that makes attempt `n`. */
export interface Step {
  run: Run;
  n: number;
  signal: AbortSignal;
  inlineOutputs: InlineOutputs;
}

/** The generation of a step, its earlier attempts, and the one that `beginRun` has reserved. */
export interface Start {
  generation: ClaimedGeneration;
  attempts: AttemptRow[];
  leftMs: number;
  reserved: AttemptRow | undefined;
}

/** Opens an attempt and submits it. Returns its first state, or what to do if there was nothing to submit. */
export async function beginAttempt(
  hub: RunHub,
  step: Step,
  start: Start,
): Promise<NextAction | { context: AttemptContext; state: JobState }> {
  const { generation, attempts, leftMs, reserved } = start;
  const { run, n, signal, inlineOutputs } = step;
  if (leftMs <= 0) return { next: "fail", error: timedOut, attempt: { outcome: "failed" } };
  // Nothing is bought that could not be stored.
  if (await isStorageAway(hub)) return waitToBegin(hub, run, leftMs, STORAGE_WAIT_SECONDS);
  const opened = reserved ? await openReserved(hub, step, start, reserved) : await openNext(hub, step, start);
  if ("next" in opened) return opened;
  const { attempt, route, submitMs } = opened;
  hub.log.debug({ generation: generation.id, attempt: n, route: route.id }, "submitting to the provider");
  const all = [...attempts.filter(({ id }) => id !== attempt.id), attempt];
  const context = { generation, run, attempt, route, attempts: all, leftMs, isResumed: false, signal };
  const request: ProviderRequest = { kind: "submit", attempt, route, inlineOutputs };
  const submit = (limit: AbortSignal) => askProvider(hub, generation, request, limit);
  const state = await withTimeout(submitMs, signal, (limit) =>
    submitUntilCanceled(hub, context, () => submit(limit)),
  ).catch((error: unknown) => toUnknown(error, signal));
  return { context, state: state as JobState };
}

/** Returns how long a submit to the provider of a route may take. */
export const submitTimeoutMs = (hub: RunHub, route: Route): number =>
  getProvider(hub, route).submitTimeoutMs ?? MAX_SUBMIT_MS;

interface Opened {
  attempt: AttemptRow;
  route: Route;
  submitMs: number;
}

/** The same step in another process has opened the attempt, or another run has taken over. The next poll finds out which. */
const openedElsewhere: NextAction = { next: "poll", pollAfterSeconds: 1, callsBack: false };

async function openReserved(
  hub: RunHub,
  { run, n }: Step,
  { generation, leftMs }: Start,
  reserved: AttemptRow,
): Promise<Opened | NextAction> {
  const route = findAttemptRoute(hub, generation, reserved);
  if (!route || route.provider.isRetired || route.provider.missing.length > 0) {
    await closeAttempt(hub, run, n, { outcome: "refused", pauseSeconds: 0 });
    return { next: "attempt", pauseSeconds: 0 };
  }
  const submitMs = Math.min(leftMs, submitTimeoutMs(hub, route));
  const attempt = await openAttempt(hub, run, { n, route, reason: "order", submitMs, passedOver: [] });
  return attempt ? { attempt, route, submitMs } : openedElsewhere;
}

/** Chooses a route and opens the attempt, or waits until one can be tried. */
async function openNext(hub: RunHub, { run, n }: Step, start: Start): Promise<Opened | NextAction> {
  const { generation, attempts, leftMs } = start;
  const choice = await chooseRoute(hub, generation, attempts, async (candidate) => {
    const submitMs = Math.min(leftMs, submitTimeoutMs(hub, candidate.route));
    const result = await openOnRoute(hub, run, generation, { n, submitMs, candidate });
    return typeof result === "string" ? result : { ...result, route: candidate.route, submitMs };
  });
  if (choice === "none") return { next: "fail", error: unroutable, attempt: { outcome: "refused" } };
  if ("attempt" in choice) return choice.attempt ? { ...choice, attempt: choice.attempt } : openedElsewhere;
  await recordWaits(hub, generation.id, "running", choice.waits);
  return waitToBegin(hub, run, leftMs, Math.min(MAX_WAIT_SECONDS, choice.waitSeconds));
}

async function waitToBegin(hub: RunHub, run: Run, leftMs: number, seconds: number): Promise<NextAction> {
  const waitSeconds = Math.min(seconds, leftMs / 1000);
  return (await renewClaim(hub, run, waitSeconds * 1000)) ? { next: "wait", waitSeconds } : { next: "stop" };
}

/** Returns the state after a submit that timed out: the work may have begun. Throws any other error. */
function toUnknown(error: unknown, signal: AbortSignal): JobState {
  signal.throwIfAborted();
  if (!(error instanceof Error && error.name === "TimeoutError")) throw error;
  return {
    state: "failed",
    started: "unknown",
    cause: "outage",
    error: { code: "timeout", message: "The provider did not respond in time.", retryable: true },
  };
}
