/**
 * Returns a function that measures, in milliseconds, how long the event loop takes for all that has arrived at the same
 * time: since the first call of this turn, or for the whole turn before if that took longer. It costs nothing while nobody
 * calls it.
 */
export function createTurnMeter(): () => number {
  let beganAt: number | null = null;
  let previousMs = 0;
  const endTurn = () => {
    previousMs = performance.now() - beganAt!;
    beganAt = null;
  };
  return () => {
    const now = performance.now();
    if (beganAt === null) {
      beganAt = now;
      setImmediate(endTurn);
    }
    return Math.max(previousMs, now - beganAt);
  };
}
