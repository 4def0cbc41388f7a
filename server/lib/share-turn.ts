/** Returns a promise to wait for before more work, or undefined. */
export type ShareTurn = () => Promise<void> | undefined;

/** How long work that shares turns of the event loop may take of one. */
const MAX_MS = 10;
/** Most callers soon wait for something else. One that finds the time used up has done one piece of work. */
const RESUMED_PER_TURN = 8;

/**
 * Returns a function that returns a promise to wait for when its callers together have used up their part of this turn of
 * the event loop, otherwise undefined. Hundreds that each do a little would otherwise do it in one turn; this way they go on
 * a few at a time, and everything else is served in between.
 */
export function createTurnShare(): ShareTurn {
  const waiting: (() => void)[] = [];
  let startedAt: number | null = null;

  const beginTurn = () => {
    const resumed = waiting.splice(0, RESUMED_PER_TURN);
    startedAt = resumed.length > 0 ? performance.now() : null;
    if (resumed.length === 0) return;
    setImmediate(beginTurn);
    for (const resume of resumed) resume();
  };
  return () => {
    const now = performance.now();
    if (startedAt === null) {
      startedAt = now;
      setImmediate(beginTurn);
    }
    if (now - startedAt < MAX_MS) return undefined;
    return new Promise((resolve) => waiting.push(resolve));
  };
}
