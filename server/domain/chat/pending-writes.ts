import type { Hub } from "../../context";
import { memoizePer } from "../../lib/memoize-per";

const writesOf = memoizePer<Hub, Set<Promise<void>>>(() => new Set());

/** Lets a stop wait for a write that no request waits for. Never rejects: without the write a chat is not joined. */
export async function trackWrite(hub: Hub, write: Promise<unknown>): Promise<void> {
  const tracked = write.then(
    () => undefined,
    (error: unknown) => hub.log.warn({ err: error }, "the joining of retries was not written down"),
  );
  const writes = writesOf(hub).add(tracked);
  await tracked;
  writes.delete(tracked);
}

/** Waits for the writes under way. */
export const flushWrites = async (hub: Hub): Promise<void> => void (await Promise.all(writesOf(hub)));
