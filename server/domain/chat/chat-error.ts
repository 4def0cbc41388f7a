import { AppError } from "../../errors";
import { type ExposureHub, showFailure } from "../exposure";
import type { FailedChat } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";

/** The members of an error about a prompt that is longer than the model's context. */
export const PROMPT_TOO_LONG = { openai_code: "context_length_exceeded" };

/**
 * Returns the API error for a provider's failure (specification, section 7): a 4xx keeps its status, everything else
 * becomes 503. A retryable error has `Retry-After`.
 */
export function chatError(
  { exposure }: ExposureHub,
  { error, upstreamStatus = 503, retryAfter, isPromptTooLong }: Omit<FailedChat, "state" | "started">,
): AppError {
  const status = upstreamStatus >= 400 && upstreamStatus < 500 ? upstreamStatus : 503;
  const headers: Record<string, string> = error.retryable ? { "Retry-After": String(retryAfter ?? 1) } : {};
  const shown = showFailure(exposure, error).message;
  const message = shown === error.message ? shown : (describeHidden(error, status, isPromptTooLong) ?? shown);
  return new AppError("provider_error", message, isPromptTooLong ? PROMPT_TOO_LONG : {}, headers, status);
}

/** Returns what a customer must know of a failure whose message is hidden; undefined if the text of its code says it. */
function describeHidden({ code }: Failure, status: number, isPromptTooLong = false): string | undefined {
  if (isPromptTooLong) return "The prompt is longer than the model accepts.";
  // Otherwise a customer would look for the reason of a 401 or 402 in their own key or balance.
  if (code === "provider_error" && status < 500) return `The provider refused the hub's request with status ${status}.`;
  return undefined;
}
