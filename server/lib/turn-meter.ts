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
