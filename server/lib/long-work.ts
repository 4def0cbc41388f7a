import { setImmediate as startNextTurn, setTimeout as sleep } from "node:timers/promises";

/** Runs one piece of synchronous work when its turn comes. */
export type LongWork = <T>(work: () => T) => Promise<T>;

/**
 * Keeps the event loop free beside work that takes tens of milliseconds, such as parsing many megabytes: one piece at a
 * time, and after each a pause as long as it took, in which everything else is served.
 */
export function createLongWork(): LongWork {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    let tookMs = 0;
    // In a new turn of the event loop, because the current one may have taken long already.
    const done = last
      .then(() => startNextTurn())
      .then(() => {
        const startedAt = performance.now();
        try {
          return work();
        } finally {
          tookMs = performance.now() - startedAt;
        }
      });
    const pause = () => sleep(Math.ceil(tookMs));
    last = done.then(pause, pause);
    return done;
  };
}
