/** A limit of a minute after a request was counted against it, or rejected by it. */
export interface RateLimit {
  /** Its name in the headers. */
  name: string;
  unit: "requests" | "tokens";
  /** What it allows in a minute. */
  quota: number;
  /** What it allows right now. */
  remaining: number;
  /** Milliseconds until it allows the requested amount, or one more after an allowed one; zero if it does now. */
  waitMs: number;
  allowed: boolean;
  /** The message of a rejection. */
  exhausted: string;
}

/** The limits that one request counts against. */
export interface RateView {
  add: (rate: RateLimit) => void;
  /** Returns the milliseconds until all of them allow a request. */
  waitMs: () => number;
}

/** Returns a view that sets the rate limit headers (IETF draft) to the tightest limit. */
export function createRateView(headers: Record<string, string>): RateView {
  let shown: RateLimit | undefined;
  return {
    add(rate) {
      if (shown && !isTighter(rate, shown)) return;
      shown = rate;
      const { name, quota, remaining, waitMs } = rate;
      headers["RateLimit-Policy"] = `"${name}";q=${quota};w=60`;
      headers.RateLimit = `"${name}";r=${remaining}${waitMs > 0 ? `;t=${toWholeSeconds(waitMs)}` : ""}`;
    },
    // The limit with the longest wait is the tightest.
    waitMs: () => shown?.waitMs ?? 0,
  };
}

function isTighter(one: RateLimit, other: RateLimit): boolean {
  if (one.waitMs !== other.waitMs) return one.waitMs > other.waitMs;
  if (one.unit === other.unit) return one.remaining < other.remaining;
  // Tokens and requests compare only by the share that is left.
  return one.remaining / one.quota < other.remaining / other.quota;
}

/** Rounds milliseconds up to whole seconds, at least one. */
export const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
