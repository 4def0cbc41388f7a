import { ApiError, callApi } from "../http/call-api";
import { checkAccess } from "../http/check-access";
import { describeSubmitError } from "../http/describe-rejection";
import type { Job, JobState } from "../job";
import type { Provider, ProviderIo } from "../provider";
import { geminiApi } from "./api";
import { buildRequest } from "./build-request";
import { describeError, isAccountError, parseError } from "./describe-error";
import { readResponse } from "./read-response";

/** Large pictures of thinking models take minutes. */
const TIMEOUT_MS = 300_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Google's API for Gemini models that draw. One request does all: nothing finds or stops what it began. */
export const gemini = {
  defaultBaseUrl: "https://generativelanguage.googleapis.com/v1beta",
  inputModes: ["inline"],
  submitTimeoutMs: TIMEOUT_MS,
  submit: generateContent,

  check: ({ provider, upstreamModel }, io) =>
    checkAccess(geminiApi, provider, io, `/models/${upstreamModel}`, ({ status, body }) =>
      status === 400 && isAccountError(parseError(body)) ? "The provider rejects the key." : undefined,
    ),
} satisfies Provider;

async function generateContent(job: Job, io: ProviderIo): Promise<JobState> {
  const { provider } = job.route;
  try {
    const response = await callApi(geminiApi, provider, io, {
      method: "POST",
      url: `/models/${job.upstreamModel}:generateContent`,
      json: buildRequest(job.input),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
      isLarge: true,
    });
    return response.status === 200 ? readResponse(response.body) : describeError(response, provider);
  } catch (error) {
    if (error instanceof ApiError) return describeSubmitError(error);
    throw error;
  }
}
