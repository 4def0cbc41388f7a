const TICK_MS = 100;
/** The longest time between two ticks that is counted in full. */
const MAX_GAP_MS = 500;

interface Stopwatch {
  /** Stops it and returns how many milliseconds it ran. */
  stop(): number;
}

/**
 * Starts to measure how long a peer takes. Of a time in which this process was stopped, or did not read its sockets, it
 * counts only half a second, because the peer may have responded at the beginning.
 */
export function startStopwatch(): Stopwatch {
  let elapsedMs = 0;
  let seenAt = performance.now();
  const tick = () => {
    const now = performance.now();
    elapsedMs += Math.min(now - seenAt, MAX_GAP_MS);
    seenAt = now;
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      tick();
      return Math.round(elapsedMs);
    },
  };
}
