import { ApiError, callApi } from "../http/call-api";
import { describeSubmitError, unreadableResponse } from "../http/describe-rejection";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { ProviderError } from "../provider-error";
import { api } from "./api";
import type { Endpoint } from "./endpoint";
import { edits, generations, hasPictures } from "./images";
import { rejectSubmit } from "./reject-submit";
import { speech } from "./speech";
import { transcriptions } from "./transcriptions";

/** A large picture at the highest quality takes minutes. */
export const SUBMIT_TIMEOUT_MS = 300_000;

/**
 * Runs a job in one exchange, at the endpoint for its model. There is nothing to ask for later: without a complete
 * response nobody knows whether the work was done, and it is billed if it was.
 */
export async function submitJob(job: Job, io: ProviderIo): Promise<JobState> {
  const endpoint = chooseEndpoint(job);
  if (!endpoint) return noEndpoint;
  const { path, buildBody, readResponse, ...limits } = endpoint;
  const { provider } = job.route;
  const body = await buildBody(job, io);
  try {
    const response = await callApi(api, provider, io, {
      method: "POST",
      url: path,
      ...body,
      ...limits,
      timeoutMs: SUBMIT_TIMEOUT_MS,
      isLarge: true,
    });
    if (response.status !== 200) return rejectSubmit(response, provider);
    return (await readResponse(response, job, io)) ?? unreadableResponse(response.status);
  } catch (error) {
    if (error instanceof ApiError) return describeSubmitError(error);
    if (error instanceof ProviderError) return unusableOutput(error);
    throw error;
  }
}

/** Returns the endpoint for a job by its model's modalities; null if there is none for such models. */
function chooseEndpoint({ modalities: { input, output }, input: parameters }: Job): Endpoint | null {
  if (output.includes("image")) return hasPictures(parameters) ? edits : generations;
  if (output.includes("audio")) return speech;
  return output.includes("text") && input.includes("audio") ? transcriptions : null;
}

const unusableOutput = ({ failure }: ProviderError): FailedJob => ({
  state: "failed",
  started: "yes",
  cause: "job",
  upstreamStatus: 200,
  error: failure,
});

const noEndpoint: FailedJob = {
  state: "failed",
  started: "no",
  cause: "account",
  error: { code: "provider_refused", message: "The provider cannot serve this model.", retryable: false },
};
