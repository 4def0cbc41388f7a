/** What an attempt came to. */
export interface AttemptResult {
  durationMs: number;
  /** Null when there was no whole answer; then `error` says why. */
  status: number | null;
  error: string | null;
  /** The first bytes of the answer. */
  response: string | null;
  /** The header of a 429 or 503. */
  retryAfter: string | null;
}

/** No receiver may put a delivery off for longer than the longest delay. */
export const MAX_RETRY_AFTER_S = 259_200;

export type RetryDecision = { next: "succeeded" | "failed" } | { next: "retry"; afterSeconds: number };

/**
 * What follows from the result of attempt `n` (specification, section 6): a 2xx succeeds; 429, 5xx and no answer are
 * tried again after the n-th delay, or later if the receiver asks so; anything else, and a last attempt, fails.
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
  const asked = status === 429 || status === 503 ? secondsAsked(retryAfter, now) : 0;
  return { next: "retry", afterSeconds: Math.max(delay, Math.min(asked, MAX_RETRY_AFTER_S)) };
}

// Whole seconds or a date (RFC 9110, section 10.2.3); anything else asks for nothing.
function secondsAsked(header: string | null, now: Date): number {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text);
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? 0 : Math.ceil((date - now.getTime()) / 1000);
}
