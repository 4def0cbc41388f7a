import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** How long work may run before others get the event loop. */
const MAX_TURN_MS = 8;

/**
 * Returns a function to await between small pieces of work: it yields to the event loop once the work has run for some
 * milliseconds since it last did.
 */
export function createPacer(): () => Promise<void> {
  let turnStart = performance.now();
  return async () => {
    if (performance.now() - turnStart < MAX_TURN_MS) return;
    await yieldToEventLoop();
    turnStart = performance.now();
  };
}

/** Returns what `map` makes of each item, and yields to the event loop between items whenever that is due. */
export async function mapPaced<T, R>(items: T[], map: (item: T) => R): Promise<R[]> {
  const pace = createPacer();
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    await pace();
  }
  return mapped;
}
