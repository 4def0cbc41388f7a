import { setTimeout as delay } from "node:timers/promises";
import { DownloadFailed } from "../../../providers/http/download-failed";
import type { JobState } from "../../../providers/job";
import { recordDelivery, renewClaim } from "../attempts";
import { internalError, outputNotDownloaded } from "../row";
import { routeCost } from "../../pricing";
import { isStorageUnavailable } from "../../../lib/is-unavailable";
import type { RunHub } from "./hub";
import type { AttemptContext, NextAction } from "./next-action";
import { storeOutputs } from "./store-outputs";
import { timeLeftMs } from "./time-left";

const RETRY_SECONDS = 3;

type Succeeded = Extract<JobState, { state: "succeeded" }>;

/**
 * Stores the outputs of a success, again and again while they cannot be downloaded, until the deadline, or while the storage
 * is away, for at least ten minutes (decision 90). Later steps ask the provider for them; those of a provider that cannot
 * be asked are in this process alone, so this step goes on until it is over.
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

/** Has the provider asked again for outputs that could not be stored. */
export const askAgain = async (hub: RunHub, { run }: AttemptContext): Promise<NextAction> =>
  (await renewClaim(hub, run, RETRY_SECONDS * 1000))
    ? { next: "poll", pollAfterSeconds: RETRY_SECONDS, callsBack: false }
    : { next: "stop" };

function failUndelivered(hub: RunHub, context: AttemptContext, state: Succeeded, error: unknown): NextAction {
  const { generation, attempt, route } = context;
  hub.log.error({ err: error as Error, generation: generation.id, route: route.id }, "outputs given up");
  const cost = routeCost(hub, { route, state, attempt, generation })?.toString();
  return {
    next: "fail",
    error: error instanceof DownloadFailed ? outputNotDownloaded : internalError,
    attempt: { outcome: "failed", cause: "job", upstreamStatus: state.upstreamStatus, cost },
  };
}
