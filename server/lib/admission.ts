/** Work may wait this long all the time; a caller notices less than that. */
const TARGET_DELAY_MS = 150;
/** Work may wait longer for this long: a burst, or a disk that pauses, ends by itself. */
const PATIENCE_MS = 300;
/** Beyond this delay nobody is admitted, however little they ask for. */
const MAX_DELAY_MS = 3 * TARGET_DELAY_MS;
/** After so long without a request nothing is known of what was before. */
const MAX_GAP_MS = 1_000;

export interface Admission {
  /**
   * Admits a request of this caller and returns the function to call when it has ended; returns null while the process
   * has more work than it can do.
   */
  admit(caller: string): (() => void) | null;
}

/**
 * Returns the admission of requests by how long work waits in this process, in milliseconds. While it waits longer than
 * 150 ms for longer than 300 ms, callers with more than half of the average number of requests under way are rejected, so
 * that one who sends too many makes room for the others. While it waits longer than 450 ms, all are.
 */
export function createAdmission(measureDelayMs: () => number, clock = () => performance.now()): Admission {
  const underWay = new Map<string, number>();
  let total = 0;
  let lateSince: number | null = null;
  let checkedAt = -Infinity;

  const isLate = (delayMs: number): boolean => {
    const now = clock();
    if (delayMs <= TARGET_DELAY_MS || now - checkedAt > MAX_GAP_MS) lateSince = null;
    checkedAt = now;
    if (delayMs <= TARGET_DELAY_MS) return false;
    lateSince ??= now;
    return now - lateSince >= PATIENCE_MS;
  };
  const isRejected = (caller: string): boolean => {
    const delayMs = measureDelayMs();
    if (!isLate(delayMs)) return false;
    const share = Math.max(1, total / underWay.size / 2);
    return delayMs > MAX_DELAY_MS || (underWay.get(caller) ?? 0) >= share;
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
