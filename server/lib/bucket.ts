/** What a bucket decides about one request. */
export interface BucketResult {
  allowed: boolean;
  /** Requests that would be allowed right now. */
  remaining: number;
  /** Milliseconds until one more is allowed; zero if one is allowed now. */
  waitMs: number;
}

const MINUTE_MS = 60_000;
const MAX_KEYS = 50_000;
const CLOCK_SLACK_MS = 1_000;
/** Tolerance for sums of fractions, each of which was rounded to microseconds. */
export const ROUNDING_MS = 0.1;

export interface BucketOptions {
  /** How long an empty bucket takes to fill; a minute by default. */
  windowMs?: number;
  /** The maximum number of buckets. */
  maxKeys?: number;
}

/**
 * Returns token buckets by key, each with `capacity` tokens, refilled evenly over `windowMs`. A bucket is stored as one
 * number, the time at which it will be full again; full ones are dropped, and at most `maxKeys` are kept.
 */
export function createBuckets<Key>(capacity: number, { windowMs = MINUTE_MS, maxKeys = MAX_KEYS }: BucketOptions = {}) {
  const stepMs = windowMs / capacity;
  const fullAt = new Map<Key, number>();

  const makeRoom = (now: number) => {
    for (const [key, time] of fullAt) if (time <= now) fullAt.delete(key);
    // Dropping the oldest lets a few requests through; unbounded growth would harm everybody.
    for (const key of fullAt.keys()) {
      if (fullAt.size < maxKeys * 0.9) return;
      fullAt.delete(key);
    }
  };
  const setFullAt = (key: Key, time: number, now: number) => {
    if (fullAt.size >= maxKeys && !fullAt.has(key)) makeRoom(now);
    fullAt.set(key, time);
  };

  const usedOf = (key: Key, now: number) => {
    const used = Math.max(fullAt.get(key) ?? 0, now) - now;
    if (used <= windowMs + CLOCK_SLACK_MS) return used;
    // No bucket takes longer than its window to fill, so the clock was set back: this one fills from now on.
    fullAt.set(key, now + windowMs);
    return windowMs;
  };
  const waitAfter = (used: number) => {
    const missingMs = stepMs + used - windowMs;
    return missingMs > ROUNDING_MS ? missingMs : 0;
  };
  const describe = (used: number) => ({
    remaining: Math.max(0, Math.floor((windowMs - used + ROUNDING_MS) / stepMs)),
    waitMs: waitAfter(used),
  });

  return {
    /** Milliseconds until one token is refilled. */
    stepMs,
    windowMs,
    /** Returns the state of a bucket without taking a token. */
    peek: (key: Key, now: number): Omit<BucketResult, "allowed"> => describe(usedOf(key, now)),
    /** Takes a token if there is one. */
    consume(key: Key, now: number): BucketResult {
      const before = usedOf(key, now);
      const allowed = waitAfter(before) === 0;
      const used = allowed ? before + stepMs : before;
      if (allowed) setFullAt(key, now + used, now);
      return { allowed, ...describe(used) };
    },
    /** Puts back a token that turned out not to count. */
    refund(key: Key): void {
      const time = fullAt.get(key);
      if (time !== undefined) fullAt.set(key, time - stepMs);
    },
    /** Replaces the time at which a bucket will be full again. */
    setFullAt,
    get size() {
      return fullAt.size;
    },
  };
}
