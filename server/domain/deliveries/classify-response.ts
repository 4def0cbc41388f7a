import { readRetryAfter } from "../../lib/retry-after";

/** The result of an attempt. */
export interface AttemptResult {
  /** How long the receiver took, without stalls of the hub. */
  durationMs: number;
  /** Null when no complete response arrived; then `error` is the reason. */
  status: number | null;
  error: string | null;
  /** The beginning of the response body. */
  response: string | null;
  /** The `Retry-After` header. */
  retryAfter: string | null;
}

/** The longest default delay; a receiver cannot postpone an attempt for longer. */
export const MAX_RETRY_AFTER_SECONDS = 259_200;

export type RetryDecision = { next: "succeeded" | "failed" } | { next: "retry"; afterSeconds: number };

/**
 * Decides what follows attempt `n` (specification, section 6): a 2xx succeeds; 429, 5xx and no response are retried after the
 * n-th delay, or later if `Retry-After` says so; anything else fails, and so does an attempt without a delay after it.
 */
export function classifyResponse(
  { status, retryAfter }: AttemptResult,
  n: number,
  delays: number[],
  now: Date,
): RetryDecision {
  if (status !== null && status >= 200 && status < 300) return { next: "succeeded" };
  const delay = delays[n - 1];
  if (delay === undefined || !(status === null || status === 429 || status >= 500)) return { next: "failed" };
  const requested = (status === 429 || status === 503 ? readRetryAfter(retryAfter, now) : undefined) ?? 0;
  return { next: "retry", afterSeconds: Math.max(delay, Math.min(requested, MAX_RETRY_AFTER_SECONDS)) };
}
