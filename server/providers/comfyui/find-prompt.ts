import { pollDelaySeconds } from "../http/poll-delay";
import type { Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { findInQueue } from "./find-in-queue";
import { readHistory } from "./read-history";

/** Returns the state of a prompt. The server forgets all of them when it restarts: such a prompt is lost. */
export const pollPrompt = async (job: Job, promptId: string, io: ProviderIo): Promise<JobState> =>
  (await findPrompt(job, promptId, io)) ?? {
    state: "failed",
    started: "yes",
    cause: "outage",
    error: { code: "provider_error", message: "The provider has lost the job.", retryable: true },
  };

/**
 * Returns the state of a prompt whose submit was interrupted. One that the server does not have may have been lost in a
 * restart, or removed by somebody, or may still arrive, so that nothing is known about it.
 */
export const recoverPrompt = async (job: Job, io: ProviderIo): Promise<JobState | "unknown"> =>
  (await findPrompt(job, job.attemptId, io)) ?? "unknown";

/** Returns the state of a prompt that the server has; null if it has none. Throws ApiError when it cannot be asked. */
async function findPrompt(job: Job, promptId: string, io: ProviderIo): Promise<JobState | null> {
  const ended = await readHistory(job, promptId, io);
  if (ended) return ended;
  const place = await findInQueue(job.route.provider, promptId, io);
  // It may have ended between the two requests: the server moves it from the queue to the history at once.
  if (!place) return readHistory(job, promptId, io);
  return {
    state: "pending",
    upstreamId: promptId,
    progress: null,
    pollAfterSeconds: pollDelaySeconds(job, io),
    ...(!place.isRunning && { queuePosition: place.before }),
  };
}
