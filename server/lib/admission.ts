/** After this long without a request, earlier measurements no longer count. */
const MAX_GAP_MS = 1_000;
/** Even a slow machine answers this many requests within a second, once what they wait for continues. */
const MIN_UNDER_WAY = 256;

export interface Admission {
  /**
   * Admits a request of this caller and returns the function to call when it has ended; returns null while the process
   * has more work than it can do.
   */
  admit(caller: string): (() => void) | null;
}

interface Options {
  /** Returns for how many milliseconds work waits in this process. */
  measureDelayMs: () => number;
  /** The delay that callers may see permanently. */
  maxDelayMs: number;
  clock?: () => number;
}

/**
 * Returns the admission of requests by how long work waits. Once work has waited longer than `maxDelayMs` for that
 * long, and 256 requests are under way, callers that have about the average number of them or more are rejected, so
 * that a caller who sends too many makes room for the others. The longer work waits, the fewer a caller may have; while
 * it waits six times as long, all are rejected.
 */
export function createAdmission({ measureDelayMs, maxDelayMs, clock = () => performance.now() }: Options): Admission {
  const underWay = new Map<string, number>();
  let total = 0;
  let lateSince: number | null = null;
  let checkedAt = -Infinity;

  const isLate = (delayMs: number): boolean => {
    const now = clock();
    if (delayMs <= maxDelayMs || now - checkedAt > MAX_GAP_MS) lateSince = null;
    checkedAt = now;
    if (delayMs <= maxDelayMs) return false;
    lateSince ??= now;
    // A burst or a stall of the disk ends by itself.
    return now - lateSince >= maxDelayMs;
  };
  const isRejected = (caller: string): boolean => {
    const delayMs = measureDelayMs();
    if (!isLate(delayMs) || total < MIN_UNDER_WAY) return false;
    const average = total / underWay.size;
    const share = average * (1 - delayMs / (6 * maxDelayMs));
    return (underWay.get(caller) ?? 0) >= share;
  };
  const change = (caller: string, by: 1 | -1) => {
    total += by;
    const count = (underWay.get(caller) ?? 0) + by;
    if (count > 0) underWay.set(caller, count);
    else underWay.delete(caller);
  };

  return {
    admit(caller) {
      if (isRejected(caller)) return null;
      change(caller, 1);
      return () => change(caller, -1);
    },
  };
}

/**
 * Returns a function that measures how long the event loop takes for all that arrives at the same time: the milliseconds of
 * the latest turn in which it was called, from its first call. It costs nothing while nobody calls it.
 */
export function createTurnMeter(): () => number {
  let isMeasuring = false;
  let latestMs = 0;
  return () => {
    if (!isMeasuring) {
      const beganAt = performance.now();
      isMeasuring = true;
      setImmediate(() => {
        latestMs = performance.now() - beganAt;
        isMeasuring = false;
      });
    }
    return latestMs;
  };
}
