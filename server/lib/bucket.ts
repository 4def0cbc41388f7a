/** What a bucket says of one request. */
export interface Verdict {
  allowed: boolean;
  /** Requests that would be allowed right now. */
  remaining: number;
  /** Milliseconds until there is room for one more; zero while there is some. */
  waitMs: number;
}

/**
 * Token buckets by key, each full at `perMinute` and refilled evenly over a minute. A bucket is one number (the time
 * at which it will be full again), a full one is forgotten, and at most `most` are remembered.
 */
export function createBuckets<Key>(perMinute: number, most = 50_000) {
  const step = 60_000 / perMinute;
  const fullAt = new Map<Key, number>();

  const makeRoom = (now: number) => {
    for (const [key, time] of fullAt) if (time <= now) fullAt.delete(key);
    // Forgetting the oldest forgives a few; growing without end would harm everybody.
    for (const key of fullAt.keys()) {
      if (fullAt.size < most * 0.9) return;
      fullAt.delete(key);
    }
  };

  return {
    /** Takes a token if there is one. */
    take(key: Key, now: number): Verdict {
      const usedByClock = Math.max(fullAt.get(key) ?? 0, now) - now;
      // No bucket takes longer than a minute to fill: beyond that, sums of fractions aside, the clock has gone back.
      const used = usedByClock > 61_000 ? 60_000 : usedByClock;
      const room = 60_000 - used - step;
      // A thousandth of a millisecond of slack for sums of fractions.
      const allowed = room >= -0.001;
      if (allowed) {
        if (fullAt.size >= most && !fullAt.has(key)) makeRoom(now);
        fullAt.set(key, now + used + step);
      }
      const left = allowed ? room : room + step;
      return { allowed, remaining: Math.floor((left + 0.001) / step), waitMs: Math.max(0, step - left - 0.001) };
    },
    /** Puts back a token that turned out not to count. */
    giveBack(key: Key): void {
      const time = fullAt.get(key);
      if (time !== undefined) fullAt.set(key, time - step);
    },
    get size() {
      return fullAt.size;
    },
  };
}
