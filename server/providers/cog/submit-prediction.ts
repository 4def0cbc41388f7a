import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import { ApiError, type ApiResponse, callApi } from "../http/call-api";
import { describeRejection, describeSubmitError, refuseContent, unreadableResponse } from "../http/describe-rejection";
import { redactMessage } from "../http/redact";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { cogApi, MAX_PREDICTION_MS } from "./api";
import { readOutputs } from "./read-outputs";

/** Files are inside the response. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * Has the container predict, and waits for the result. The path has the attempt's id, so that the work can be stopped by
 * it. When the connection breaks, cog stops the work.
 */
export async function submitPrediction(job: Job, io: ProviderIo): Promise<JobState> {
  const { input, attemptId, route } = job;
  try {
    const response = await callApi(cogApi, route.provider, io, {
      method: "PUT",
      url: `/predictions/${attemptId}`,
      json: { input },
      timeoutMs: MAX_PREDICTION_MS,
      maxBytes: MAX_RESPONSE_BYTES,
      isLarge: true,
    });
    return response.status === 200 ? readPrediction(job, io, response) : describeUnaccepted(job, response);
  } catch (error) {
    if (error instanceof ApiError) return describeSubmitError(error);
    throw error;
  }
}

const Prediction = z.object({
  status: z.enum(["succeeded", "failed", "canceled"]),
  output: z.unknown().optional(),
  error: z.string().nullish().catch(null),
  metrics: z.object({ predict_time: z.number().nonnegative() }).optional().catch(undefined),
});

function readPrediction({ route: { provider } }: Job, io: ProviderIo, { status, body }: ApiResponse): JobState {
  const parsed = Prediction.safeParse(body);
  if (!parsed.success) return unreadableResponse(status);
  const { status: state, output, error, metrics } = parsed.data;
  if (state === "failed") return describeModelError(error ?? "", provider);
  if (state === "canceled") return failAfterStart("The model was stopped.");
  return {
    state,
    outputs: readOutputs(provider, io, output),
    upstreamStatus: status,
    usage: { computeSeconds: metrics?.predict_time },
  };
}

/** What models raise when their safety checker refuses the content. */
const REFUSAL = /\bnsfw\b|safety (checker|filter)|content polic/i;
/** Written by cog before what the model raised. */
const PREFIXES = /^(Prediction failed: )+/;

function describeModelError(error: string, provider: ProviderSettings): FailedJob {
  if (REFUSAL.test(error)) return refuseContent("yes", 200);
  const reason = redactMessage(error.replace(PREFIXES, ""), provider).replace(/\.$/, "");
  return failAfterStart(`The model failed${reason && `: ${reason}`}.`);
}

const failAfterStart = (message: string): FailedJob => ({
  state: "failed",
  started: "yes",
  cause: "job",
  upstreamStatus: 200,
  error: { code: "provider_error", message, retryable: true },
});

const InvalidInput = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).min(1),
});

function describeUnaccepted({ route: { provider } }: Job, response: ApiResponse): FailedJob {
  const { status, headers, body } = response;
  // The container has no free slot, which other servers say by 429.
  if (status === 409) return { ...describeRejection({ status: 429, headers }, provider), upstreamStatus: status };
  const issue = InvalidInput.safeParse(body).data?.detail[0];
  // The place begins with `body` and `input`.
  return describeRejection(response, provider, issue && `${issue.loc.slice(2).join(".")}: ${issue.msg}`);
}
