import type { ProviderSettings } from "../../catalogue/model";
import { readRetryAfter } from "../../lib/retry-after";
import type { Failure, FailureCause, FailureCode, Started } from "../failure";
import type { FailedJob, Job, JobState } from "../job";
import type { CancelReply, ProviderIo } from "../provider";
import type { Api } from "./api";
import { ApiError, type ApiRequest, type ApiResponse, callApi } from "./call-api";
import { redactMessage } from "./redact";

interface Rejection {
  started: Started;
  cause: FailureCause;
}

const MAX_RETRY_SECONDS = 3_600;

/** What the status of a submit's response proves; a status that is not listed proves nothing. */
const rejections = new Map<number, Rejection>([
  ...[400, 405, 406, 411, 413, 414, 415, 422, 431].map((status) => [status, { started: "no", cause: "job" }] as const),
  // A model that was shut down is gone.
  ...[401, 402, 403, 404, 410, 451].map((status) => [status, { started: "no", cause: "account" }] as const),
  ...[429, 503, 529].map((status) => [status, { started: "no", cause: "capacity" }] as const),
  // The request is to be repeated elsewhere; other redirects may lead to the result of its work.
  ...[301, 307, 308].map((status) => [status, { started: "no", cause: "outage" }] as const),
]);

/**
 * Returns the failure of a submit whose response has an unsuccessful status. `reason` is upstream's own explanation,
 * shown to customers only when it is about their input.
 */
export function describeRejection(
  { status, headers }: Pick<ApiResponse, "status" | "headers">,
  provider: ProviderSettings,
  reason?: unknown,
): FailedJob {
  const { started, cause } = rejections.get(status) ?? ({ started: "unknown", cause: "outage" } as const);
  return {
    state: "failed",
    started,
    cause,
    upstreamStatus: status,
    error: started === "no" ? describeRefusal(cause, provider, reason) : describeOutage(status),
    retryAfter: parseRetryAfter(headers),
  };
}

function describeRefusal(cause: FailureCause, provider: ProviderSettings, reason: unknown): Failure {
  if (cause !== "job") return { code: "provider_refused", message: refusals[cause], retryable: true };
  const text = typeof reason === "string" ? redactMessage(reason, provider).replace(/\.$/, "") : "";
  const message = `The provider rejected the input${text && `: ${text}`}.`;
  return { code: "provider_refused", message, retryable: false };
}

const refusals = {
  account: "The provider did not accept the hub's request.",
  capacity: "The provider is busy.",
  outage: "The provider cannot be reached.",
};

const describeOutage = (status: number): Failure => ({
  code: "provider_error",
  message: `The provider failed with status ${status}.`,
  retryable: true,
});

/** Returns the failure of content that upstream's safety rules refuse. No other route is tried with it. */
export const refuseContent = (started: Started, upstreamStatus?: number): FailedJob => ({
  state: "failed",
  started,
  cause: "job",
  upstreamStatus,
  error: {
    code: "content_refused",
    message: "The provider's safety rules refused the content. Change the input and try again.",
    retryable: false,
  },
});

/** Sends the request of a submit and reads the response. Returns the failure of one without a complete response. */
export async function sendSubmit(
  api: Api,
  { route }: Job,
  io: ProviderIo,
  request: ApiRequest,
  read: (response: ApiResponse) => JobState | Promise<JobState>,
): Promise<JobState> {
  try {
    return await read(await callApi(api, route.provider, io, { method: "POST", ...request }));
  } catch (error) {
    return describeSubmitError(error);
  }
}

/** Returns the failure of a submit without a complete response. Throws every error but ApiError. */
export function describeSubmitError(error: unknown): FailedJob {
  if (!(error instanceof ApiError)) throw error;
  const { started, message } = error;
  const code = started === "no" ? "provider_refused" : "provider_error";
  return { state: "failed", started, cause: "outage", error: { code, message, retryable: true } };
}

/** Returns the failure of work that upstream had begun, and that may succeed in another attempt. */
export const failAfterStart = (
  code: FailureCode,
  message: string,
  details: Pick<Partial<FailedJob>, "cause" | "upstreamStatus" | "stopped"> = {},
): FailedJob => ({
  state: "failed",
  started: "yes",
  cause: "job",
  ...details,
  error: { code, message, retryable: true },
});

/** Returns the failure of a submit that may have begun, because its response cannot be read. */
export const unreadableResponse = (upstreamStatus: number): FailedJob => ({
  state: "failed",
  started: "unknown",
  cause: "outage",
  upstreamStatus,
  error: { code: "invalid_output", message: "The provider's response could not be used.", retryable: true },
});

/** Returns the seconds of `Retry-After` or OpenAI's `Retry-After-Ms`, from 1 to 3,600; undefined without them. */
export function parseRetryAfter(headers: Record<string, string>): number | undefined {
  const ms = headers["retry-after-ms"];
  const isMs = ms !== undefined && /^\d{1,8}$/.test(ms);
  const seconds = isMs ? Number(ms) / 1000 : readRetryAfter(headers["retry-after"], new Date());
  return seconds === undefined ? undefined : Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(seconds)));
}

/**
 * Throws ApiError for a response to a poll that says nothing about the job, such as a 429 or 502: the job stays pending
 * and is polled again.
 */
export function assertReadable({ status, headers, body }: ApiResponse): void {
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && typeof body === "object" && body !== null) return;
  const message = `The provider's state could not be read (status ${status}).`;
  throw new ApiError("unknown", message, false, parseRetryAfter(headers));
}

/** Returns whether a response with this status has the answer: some frameworks send 201 for every POST. */
export const isAnswered = (status: number): boolean => status === 200 || status === 201;

/** Statuses below 500 after which the same request may succeed. */
const TEMPORARY_STATUSES = [408, 425, 429];

/** Returns whether a response to a request to stop a job refuses that for good. */
export const isCancelRefused = ({ status }: Pick<ApiResponse, "status">): boolean =>
  status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status);

/** Returns what a response to a request to stop a job says. Throws ApiError for one that says nothing. */
export function readCancelReply(response: ApiResponse): CancelReply {
  if (isCancelRefused(response)) return "refused";
  assertReadable(response);
  return "asked";
}
