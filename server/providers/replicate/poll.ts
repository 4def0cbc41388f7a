import { ApiError, callApi } from "../http/call-api";
import { assertReadable } from "../http/describe-rejection";
import { pollDelaySeconds } from "../http/poll-delay";
import type { FailureCode } from "../failure";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { ProviderError } from "../provider-error";
import { Prediction, readApi, replicateApi } from "./api";
import { describePredictionError } from "./describe-problem";
import { findOutputs } from "./find-outputs";

/** Returns the state of a prediction. Throws ApiError when it cannot be read for now. */
export async function pollPrediction(job: Job, id: string, io: ProviderIo): Promise<JobState> {
  try {
    const response = await readApi(job.route.provider, io, `/predictions/${id}`);
    assertReadable(response);
    const { data } = Prediction.safeParse(response.body);
    if (!data) throw new ApiError("unknown", "The provider's state could not be read.");
    // A status that Replicate adds one day is not known to be final.
    return findEnd(data, job, io) ?? buildPendingState(job, id, io);
  } catch (error) {
    if (error instanceof ProviderError) return { ...unusable(error.message), error: error.failure };
    if (error instanceof ApiError && error.isTooLarge) return unusable(error.message);
    throw error;
  }
}

/** Returns the state of a prediction that has not ended. */
export const buildPendingState = (job: Job, id: string, io: ProviderIo): JobState => ({
  state: "pending",
  upstreamId: id,
  progress: null,
  pollAfterSeconds: pollDelaySeconds(job, io),
});

/** Cancels a prediction. One that runs already is paid for until then. */
export async function cancelPrediction({ route }: Job, id: string, io: ProviderIo): Promise<void> {
  const request = { method: "POST", url: `/predictions/${id}/cancel` } as const;
  assertReadable(await callApi(replicateApi, route.provider, io, request));
}

/** Returns the final state of a prediction; undefined for one that has not ended. */
function findEnd(prediction: Prediction, { route }: Job, io: ProviderIo): JobState | undefined {
  const { status, output = null, metrics } = prediction;
  if (status === "failed") return describePredictionError(prediction.error, route.provider);
  if (status === "canceled") return failed("provider_error", "The provider stopped the job before it finished.");
  // The deadline passed before it started, which costs nothing.
  if (status === "aborted")
    return { ...failed("timeout", "The provider did not start the job in time."), started: "no", cause: "capacity" };
  if (status !== "succeeded") return undefined;
  if (output === null && prediction.data_removed) return unusable("The provider no longer has the output.");
  const outputs = findOutputs(output, route.provider, io);
  return { state: "succeeded", outputs, usage: { computeSeconds: metrics?.predict_time } };
}

const unusable = (message: string): FailedJob => failed("invalid_output", message);

const failed = (code: FailureCode, message: string): FailedJob => ({
  state: "failed",
  started: "yes",
  cause: "job",
  error: { code, message, retryable: true },
});
