import { setTimeout as delay } from "node:timers/promises";
import { DownloadFailed } from "../../../providers/http/download-failed";
import type { JobState } from "../../../providers/job";
import { recordDelivery, renewClaim } from "../attempts";
import { internalError, outputNotDownloaded } from "../row";
import { isStorageUnavailable } from "../../../lib/is-unavailable";
import type { RunHub } from "./hub";
import { type AttemptContext, attemptCost, type NextAction, timeLeftMs } from "./next-action";
import { storeOutputs } from "./store-outputs";

const RETRY_SECONDS = 3;

type Succeeded = Extract<JobState, { state: "succeeded" }>;

/**
 * Stores the outputs of a success. Retries until the deadline while they cannot be downloaded, and for at least ten minutes
 * while the storage is unavailable (decision 90). Later steps poll the provider for them again; the outputs of a provider
 * that cannot be polled exist only in this process, so this step retries by itself.
 */
export async function deliverOutputs(hub: RunHub, context: AttemptContext, state: Succeeded): Promise<NextAction> {
  const { generation, attempt, route, signal } = context;
  let { delivered_at: deliveredAt } = attempt;
  for (let tries = 0; ; tries += 1) {
    try {
      return await storeOutputs(hub, context, state);
    } catch (error) {
      signal.throwIfAborted();
      if (tries === 0 && deliveredAt === null)
        hub.log.warn({ err: error, generation: generation.id, route: route.id }, "outputs not stored yet");
      if (isStorageUnavailable(error)) deliveredAt ??= await recordDelivery(hub, attempt.id);
      const leftMs = timeLeftMs(hub, generation, deliveredAt);
      if (leftMs <= 0) return failUndelivered(hub, context, state, error);
      if (attempt.upstream_id !== null) return askAgain(hub, context);
      await delay(Math.min(RETRY_SECONDS * 1000, leftMs), undefined, { signal });
    }
  }
}

/** Returns the action that polls the provider again for outputs that could not be stored. */
export const askAgain = async (hub: RunHub, { run }: AttemptContext): Promise<NextAction> =>
  (await renewClaim(hub, run, RETRY_SECONDS * 1000))
    ? { next: "poll", pollAfterSeconds: RETRY_SECONDS, callsBack: false }
    : { next: "stop" };

function failUndelivered(hub: RunHub, context: AttemptContext, state: Succeeded, error: unknown): NextAction {
  const { generation, route } = context;
  hub.log.error({ err: error as Error, generation: generation.id, route: route.id }, "outputs given up");
  return {
    next: "fail",
    error: error instanceof DownloadFailed ? outputNotDownloaded : internalError,
    attempt: {
      outcome: "failed",
      cause: "job",
      upstreamStatus: state.upstreamStatus,
      cost: attemptCost(hub, context, state),
    },
  };
}
