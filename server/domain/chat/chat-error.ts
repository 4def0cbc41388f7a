import { AppError } from "../../errors";
import type { ChatState } from "../../providers/provider";

/**
 * What the customer is told of a provider's failure (specification, section 7): a 4xx keeps its status, everything else
 * is 503. `Retry-After` stands where the same request may succeed later.
 */
export function chatError({
  error,
  upstreamStatus = 503,
  retryAfter,
}: Omit<Extract<ChatState, { state: "failed" }>, "state" | "started">): AppError {
  const status = upstreamStatus >= 400 && upstreamStatus < 500 ? upstreamStatus : 503;
  const headers: Record<string, string> = error.retryable ? { "Retry-After": String(retryAfter ?? 1) } : {};
  return new AppError("provider_error", error.message, {}, headers, status);
}
