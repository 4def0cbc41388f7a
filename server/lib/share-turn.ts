/** Returns a promise to wait for before more work, or undefined. */
export type ShareTurn = () => Promise<void> | undefined;

/** How long work that shares turns of the event loop may take of one. */
const MAX_MS = 10;
/**
 * How many callers continue in one turn. Most soon wait for something else, and the others do at most one piece of work
 * once the time is used up.
 */
const RESUMED_PER_TURN = 8;

/**
 * Returns a function whose callers share a part of each turn of the event loop: it returns a promise to wait for when
 * that part is used up, otherwise undefined. Hundreds of callers that each do a little would otherwise do it all in one
 * turn; this way a few at a time continue, and everything else is served in between.
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
