/** What a bucket says of one request. */
export interface BucketResult {
  allowed: boolean;
  /** Requests that would be allowed right now. */
  remaining: number;
  /** Milliseconds until there is room for one more; zero while there is some. */
  waitMs: number;
}

const MINUTE_MS = 60_000;
const MAX_KEYS = 50_000;
const CLOCK_SLACK_MS = 1_000;

export type Buckets<Key> = ReturnType<typeof createBuckets<Key>>;

/**
 * Returns token buckets by key, each with `capacity` tokens, refilled evenly over `windowMs` (a minute by default). A bucket
 * is stored as one number, the time at which it will be full again; full ones are dropped, and at most `maxKeys` are kept.
 */
export function createBuckets<Key>(capacity: number, { windowMs = MINUTE_MS, maxKeys = MAX_KEYS } = {}) {
  const step = windowMs / capacity;
  const fullAt = new Map<Key, number>();

  const makeRoom = (now: number) => {
    for (const [key, time] of fullAt) if (time <= now) fullAt.delete(key);
    // Forgetting the oldest forgives a few; growing without end would harm everybody.
    for (const key of fullAt.keys()) {
      if (fullAt.size < maxKeys * 0.9) return;
      fullAt.delete(key);
    }
  };

  // No bucket takes longer than its window to fill: beyond that, sums of fractions aside, the clock has gone back.
  const usedOf = (key: Key, now: number) => {
    const used = Math.max(fullAt.get(key) ?? 0, now) - now;
    return used > windowMs + CLOCK_SLACK_MS ? windowMs : used;
  };
  // A thousandth of a millisecond of slack for sums of fractions.
  const waitAfter = (used: number) => Math.max(0, step + used - windowMs - 0.001);

  return {
    /** Returns the milliseconds until there is a token; zero while there is one. Takes none. */
    waitMs: (key: Key, now: number): number => waitAfter(usedOf(key, now)),
    /** Takes a token if there is one. */
    consume(key: Key, now: number): BucketResult {
      const before = usedOf(key, now);
      const allowed = waitAfter(before) === 0;
      const used = allowed ? before + step : before;
      if (allowed) {
        if (fullAt.size >= maxKeys && !fullAt.has(key)) makeRoom(now);
        fullAt.set(key, now + used);
      }
      return { allowed, remaining: Math.floor((windowMs - used + 0.001) / step), waitMs: waitAfter(used) };
    },
    /** Puts back a token that turned out not to count. */
    refund(key: Key): void {
      const time = fullAt.get(key);
      if (time !== undefined) fullAt.set(key, time - step);
    },
    get size() {
      return fullAt.size;
    },
  };
}
