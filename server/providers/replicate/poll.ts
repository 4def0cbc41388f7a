import type { ProviderSettings } from "../../catalogue/model";
import { parseResponseUrl } from "../http/api";
import { ApiError, callApi } from "../http/call-api";
import { assertReadable, failAfterStart, readCancelReply } from "../http/describe-rejection";
import { downloadOutput, isOutputUrl } from "../http/download";
import { pollDelaySeconds } from "../http/poll-delay";
import { type FailedJob, type Job, type JobState, outputOf, type ProviderOutput } from "../job";
import type { CancelReply, ProviderIo } from "../provider";
import { ProviderError } from "../provider-error";
import { MAX_INLINE_BYTES, Prediction, readApi, replicateApi } from "./api";
import { describePredictionError } from "./describe-problem";
import { findProgress, readLogTail } from "./read-log";

/** Returns the state of a prediction. Throws ApiError when it cannot be read for now. */
export async function pollPrediction(job: Job, id: string, io: ProviderIo): Promise<JobState> {
  try {
    const response = await readApi(job.route.provider, io, `/predictions/${id}`);
    assertReadable(response);
    const { data } = Prediction.safeParse(response.body);
    if (!data) throw new ApiError("unknown", "The provider's state could not be read.");
    // A status that Replicate adds one day is not known to be final.
    const ended = findEnd(data, job, io);
    if (ended) return ended;
    const log = readLogTail(data.logs ?? "", job.route.provider);
    return { ...buildPendingState(job, id, io), progress: findProgress(log), ...(log.length > 0 && { log }) };
  } catch (error) {
    if (error instanceof ProviderError) return { ...unusable(error.message), error: error.failure };
    if (error instanceof ApiError && error.isTooLarge) return unusable(error.message);
    throw error;
  }
}

/** Returns the state of a prediction that has not ended. */
export const buildPendingState = (job: Job, id: string, io: ProviderIo) => ({
  state: "pending" as const,
  upstreamId: id,
  progress: null,
  pollAfterSeconds: pollDelaySeconds(job, io),
});

/** Cancels a prediction. One that is already running is billed until then. */
export async function cancelPrediction({ route }: Job, id: string, io: ProviderIo): Promise<CancelReply> {
  // The response repeats the input, and has the output of a prediction that has ended.
  const large = { maxBytes: MAX_INLINE_BYTES, isLarge: true };
  const request = { method: "POST", url: `/predictions/${id}/cancel`, ...large } as const;
  return readCancelReply(await callApi(replicateApi, route.provider, io, request));
}

/** Returns the final state of a prediction; undefined for one that has not ended. */
function findEnd(prediction: Prediction, { route }: Job, io: ProviderIo): JobState | undefined {
  const { status, output = null, metrics } = prediction;
  if (status === "failed") return describePredictionError(prediction.error, route.provider);
  if (status === "canceled")
    return failAfterStart("provider_error", "The provider stopped the job before it finished.", {
      stopped: prediction.started_at === null ? "free" : "billed",
    });
  // The deadline passed before it started, which costs nothing.
  if (status === "aborted")
    return {
      ...failAfterStart("timeout", "The provider did not start the job in time."),
      started: "no",
      cause: "capacity",
      stopped: "free",
    };
  if (status !== "succeeded") return undefined;
  if (output === null && prediction.data_removed) return unusable("The provider no longer has the output.");
  const outputs = findOutputs(output, route.provider, io);
  return { state: "succeeded", outputs, usage: { computeSeconds: metrics?.predict_time } };
}

const unusable = (message: string): FailedJob => failAfterStart("invalid_output", message);

/** Media types that the content does not show, by the extension of the URL's path. */
const mediaTypes: Record<string, string> = {
  aac: "audio/aac",
  glb: "model/gltf-binary",
  json: "application/json",
  obj: "model/obj",
  srt: "text/srt",
  stl: "model/stl",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  txt: "text/plain",
  vtt: "text/vtt",
  zip: "application/zip",
};

/**
 * Returns the files that a prediction's output names, in the order in which it names them; without any, the output itself
 * as a text or JSON document. Throws ProviderError for a data URI that cannot be read.
 */
export function findOutputs(output: unknown, provider: ProviderSettings, io: ProviderIo): ProviderOutput[] {
  const files = listStrings(output).flatMap((text) => {
    if (/^data:[^,]{0,200};base64,/.test(text)) return [downloadOutput(replicateApi, provider, io, text)];
    const url = /\s/.test(text) ? null : parseResponseUrl(text);
    if (!isOutputUrl(replicateApi, provider, url)) return [];
    const extension = /\.(\w{1,4})$/.exec(url.pathname)?.[1]?.toLowerCase() ?? "";
    return [downloadOutput(replicateApi, provider, io, text, mediaTypes[extension])];
  });
  return files.length > 0 || (output ?? null) === null ? files : [toDocument(output)];
}

/** Returns all strings of a JSON value, in the order of the document. */
function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listStrings) : [];
}

const toDocument = (output: unknown): ProviderOutput =>
  typeof output === "string"
    ? outputOf(Buffer.from(output), "text/plain")
    : outputOf(Buffer.from(JSON.stringify(output)), "application/json");
