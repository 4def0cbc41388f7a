import type { Dispatcher } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import type { FailedChat } from "../chat-call";
import { parseRetryAfter } from "./describe-rejection";
import { wasNeverSent } from "./never-sent";
import { readResponseBody, ResponseTooLarge } from "./read-response-body";
import { redactMessage } from "./redact";
import { findStatus, readError, type ReportedError } from "./read-error";

/** Error responses are short; only their message is used. */
const BOUNDS = { maxBytes: 64 * 1024, maxDepth: 64, maxValues: 10_000 };

/** Statuses about the customer's request, for which the provider's message is passed on. */
const EXPLAINED_STATUSES = new Set([400, 404, 409, 413, 415, 422]);

/**
 * With these, no work was started: the key, the credit or the model is wrong, or the provider is full. Another route may
 * still succeed. A request that is wrong in itself (400, 413, 422) would be so at every provider.
 */
const NOT_STARTED_STATUSES = new Set([401, 402, 403, 404, 429, 503, 529]);

/** Returns the failure for a response without an answer. */
export async function describeChatRejection(
  response: Dispatcher.ResponseData,
  provider: ProviderSettings,
): Promise<FailedChat> {
  const { statusCode: status, headers } = response;
  // The status is known even if the body cannot be read.
  const bytes = await readResponseBody(response, BOUNDS, () => true).catch(() => new Uint8Array());
  const retryAfter = parseRetryAfter({
    "retry-after": String(headers["retry-after"]),
    "retry-after-ms": String(headers["retry-after-ms"]),
  });
  return { ...describeStatus(status, parseError(new TextDecoder().decode(bytes)), provider), retryAfter };
}

/** Returns the failure for an error in a response with status 200, as if it had come with its own status. */
export function describeReportedError(error: unknown, provider: ProviderSettings): FailedChat {
  const reported = readError({ error });
  const status = findStatus(reported);
  if (status !== undefined) return describeStatus(status, reported, provider);
  const message = `The provider ended the stream with an error${toReason(reported, provider)}.`;
  return {
    state: "failed",
    error: { code: "provider_error", message, retryable: true },
    started: true,
    upstreamStatus: 200,
  };
}

function describeStatus(status: number, reported: ReportedError, provider: ProviderSettings): FailedChat {
  const retryable = status === 408 || status === 409 || status === 429 || status >= 500;
  const reason = EXPLAINED_STATUSES.has(status) ? toReason(reported, provider) : "";
  const message =
    status >= 400 && status < 500
      ? `The provider refused the hub's request with status ${status}${reason}.`
      : `The provider failed with status ${status}.`;
  return {
    state: "failed",
    error: { code: "provider_error", message, retryable },
    started: !NOT_STARTED_STATUSES.has(status),
    upstreamStatus: status,
    isPromptTooLong: isPromptTooLong(status, reported),
  };
}

/** How servers say that a prompt does not fit, if they have no code for it. */
const TOO_LONG = /context.?(?:length|window|size)|maximum context|too many (?:input )?tokens|prompt is too long/i;

const isPromptTooLong = (status: number, { code, message }: ReportedError): boolean =>
  code === "context_length_exceeded" || (status === 400 && TOO_LONG.test(message));

function toReason({ message }: ReportedError, provider: ProviderSettings): string {
  const reason = redactMessage(message, provider);
  return reason && `: ${reason.replace(/\.$/, "")}`;
}

function parseError(text: string): ReportedError {
  try {
    return readError(JSON.parse(text));
  } catch {
    return readError(undefined);
  }
}

/** Returns the failure for a request without a response. Error messages contain addresses, so none is passed on. */
export function describeConnectionError(error: unknown): FailedChat {
  const { code = "" } = error as { code?: string };
  if (wasNeverSent(error)) return failed("provider_refused", "The provider cannot be reached.", false);
  if (/TIMEOUT$/.test(code)) return failed("timeout", "The provider did not respond in time.");
  if (error instanceof ResponseTooLarge) return failed("invalid_output", "The provider's response is too large.");
  return failed("provider_error", "The connection to the provider broke before its response was complete.");
}

const failed = (code: FailedChat["error"]["code"], message: string, started = true): FailedChat => ({
  state: "failed",
  error: { code, message, retryable: true },
  started,
});
