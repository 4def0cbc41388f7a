import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import { ApiError, callApi } from "../http/call-api";
import { assertReadable, failAfterStart, isCancelRefused } from "../http/describe-rejection";
import { pollDelaySeconds } from "../http/poll-delay";
import type { Job, JobState } from "../job";
import type { CancelReply, ProviderIo } from "../provider";
import { comfyuiApi, LARGE_RESPONSE } from "./api";
import { readHistory } from "./read-history";
import { watchPrompt } from "./watch-prompt";

/** Its place in the order of the queue, and its id; the graph and more follow. */
const Item = z.tuple([z.number(), z.string()], z.unknown());
const Queue = z.object({ queue_running: z.array(Item), queue_pending: z.array(Item) });

/** Where a prompt is in a server's queue. */
interface QueuePlace {
  isRunning: boolean;
  /** How many prompts are before it. */
  before: number;
}

/** Returns where a prompt is in the queue; null if it is not. Throws ApiError when the queue cannot be read. */
async function findInQueue(provider: ProviderSettings, promptId: string, io: ProviderIo): Promise<QueuePlace | null> {
  const response = await callApi(comfyuiApi, provider, io, { url: "/queue", ...LARGE_RESPONSE });
  assertReadable(response);
  const { data } = Queue.safeParse(response.body);
  if (!data) throw new ApiError("unknown", "The provider's queue could not be read.");
  const { queue_running: running, queue_pending: pending } = data;
  if (running.some(([, id]) => id === promptId)) return { isRunning: true, before: 0 };
  const own = pending.find(([, id]) => id === promptId);
  if (!own) return null;
  // The pending ones come in no order.
  return { isRunning: false, before: running.length + pending.filter(([number]) => number < own[0]).length };
}

/** Returns the state of a prompt. The server forgets all of them when it restarts: such a prompt is lost. */
export const pollPrompt = async (job: Job, promptId: string, io: ProviderIo): Promise<JobState> =>
  (await findPrompt(job, promptId, io)) ??
  failAfterStart("provider_error", "The provider has lost the job.", { cause: "outage" });

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
    pollAfterSeconds: pollDelaySeconds(job, io),
    ...(place.isRunning ? await watchPrompt(job, promptId, io) : { progress: null, queuePosition: place.before }),
  };
}

/** Takes a prompt out of the server's queue, or interrupts it. Throws ApiError when the server cannot be asked. */
export async function cancelPrompt(job: Job, promptId: string, io: ProviderIo): Promise<CancelReply> {
  const { provider } = job.route;
  const post = (url: string, json: unknown) => callApi(comfyuiApi, provider, io, { method: "POST", url, json });
  const removal = await post("/queue", { delete: [promptId] });
  const place = await findInQueue(provider, promptId, io);
  // A prompt that was removed while it waited leaves no trace.
  if (!place) return (await readHistory(job, promptId, io)) ? "asked" : "stopped";
  // Versions before 0.3.57 ignore the id and interrupt whatever runs.
  const response = place.isRunning ? await post("/interrupt", { prompt_id: promptId }) : removal;
  return isCancelRefused(response) ? "refused" : "asked";
}
