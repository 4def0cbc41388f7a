import type { ProviderSettings } from "../../catalogue/model";
import { type ApiResponse, callApi } from "../http/call-api";
import {
  describeRejection,
  describeSubmitError,
  isAnswered,
  refuseContent,
  unreadableResponse,
} from "../http/describe-rejection";
import { readError } from "../http/read-error";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { ProviderError } from "../provider-error";
import { api, type Endpoint } from "./endpoint";
import { edits, generations, hasPictures } from "./images";
import { speech, transcriptions } from "./audio";

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
    if (!isAnswered(response.status)) return rejectSubmit(response, provider);
    return (await readResponse(response, job, io)) ?? unreadableResponse(response.status);
  } catch (error) {
    if (error instanceof ProviderError) return unusableOutput(error);
    return describeSubmitError(error);
  }
}

/** Returns the endpoint for a job by its model's modalities; null if there is none for such models. */
function chooseEndpoint({ modalities: { input, output }, input: parameters }: Job): Endpoint | null {
  if (output.includes("image")) return hasPictures(parameters) ? edits : generations;
  if (output.includes("audio")) return speech;
  return output.includes("text") && input.includes("audio") ? transcriptions : null;
}

/** Codes of OpenAI's and Azure's safety rules. */
const CONTENT_CODES = /^(moderation_blocked|content_policy_violation|content_?filter)$/i;
/** Codes for credit that is used up, whatever the status: waiting does not help. */
const CREDIT_CODES = /^(insufficient_quota|billing_hard_limit_reached|billing_not_active)$/;

/** Returns the failure of a submit whose response has no answer. */
function rejectSubmit(response: ApiResponse, provider: ProviderSettings): FailedJob {
  const { status, headers, body } = response;
  const { message, code } = readError(body);
  const isClientError = status >= 400 && status < 500;
  if (isClientError && CONTENT_CODES.test(code)) return refuseContent("no", status);
  if (isClientError && CREDIT_CODES.test(code))
    return { ...describeRejection({ status: 402, headers: {} }, provider), upstreamStatus: status };
  return describeRejection({ status, headers }, provider, message);
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
