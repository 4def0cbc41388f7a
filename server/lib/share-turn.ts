/** How long work that shares turns of the event loop may take of one. */
const MAX_MS = 10;
/** Most callers that go on soon wait for something else. One that finds the time used up has done one piece of work. */
const RESUMED_PER_TURN = 8;

const waiting: (() => void)[] = [];
let startedAt: number | null = null;

/**
 * Returns a promise to wait for before more work when all callers together have used up their part of this turn of the event
 * loop, otherwise undefined. Hundreds of streams that each do a little would otherwise do it in one turn; this way they
 * go on one after the other, and everything else is served in between.
 */
export function shareTurn(): Promise<void> | undefined {
  const now = performance.now();
  if (startedAt === null) {
    startedAt = now;
    setImmediate(beginTurn);
  }
  if (now - startedAt < MAX_MS) return undefined;
  return new Promise((resolve) => waiting.push(resolve));
}

function beginTurn(): void {
  const resumed = waiting.splice(0, RESUMED_PER_TURN);
  startedAt = resumed.length > 0 ? performance.now() : null;
  if (resumed.length === 0) return;
  setImmediate(beginTurn);
  for (const resume of resumed) resume();
}
