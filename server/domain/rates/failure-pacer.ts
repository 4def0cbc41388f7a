const MAX_KEYS = 10_000;

/** Waits for this caller's turn. */
export type FailurePacer = (key: string) => Promise<void>;

/**
 * Returns a function that lets callers with the same key go on one after the other, `stepMs` apart; nobody waits longer
 * than `maxWaitMs`. A caller that waits for each response thereby sends less.
 */
export function createFailurePacer({ stepMs, maxWaitMs }: { stepMs: number; maxWaitMs: number }): FailurePacer {
  const nextAt = new Map<string, number>();
  return (key) => {
    const now = performance.now();
    const at = Math.min(Math.max(now, nextAt.get(key) ?? 0), now + maxWaitMs);
    if (nextAt.size >= MAX_KEYS) for (const [other, time] of nextAt) if (time <= now) nextAt.delete(other);
    nextAt.set(key, at + stepMs);
    return at === now ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, at - now).unref());
  };
}
