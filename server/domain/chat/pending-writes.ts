import type { Hub } from "../../context";
import { memoizePer } from "../../lib/memoize-per";

const writesOf = memoizePer<Hub, Set<Promise<void>>>(() => new Set());

/**
 * Tracks a background write so that shutdown waits for it. Never rejects, because a failed write only prevents a join.
 */
export async function trackWrite(hub: Hub, write: Promise<unknown>): Promise<void> {
  const tracked = write.then(
    () => undefined,
    (error: unknown) => hub.log.warn({ err: error }, "chat retry state not stored"),
  );
  const writes = writesOf(hub).add(tracked);
  await tracked;
  writes.delete(tracked);
}

/** Waits for the tracked writes. */
export const flushWrites = async (hub: Hub): Promise<void> => void (await Promise.all(writesOf(hub)));
