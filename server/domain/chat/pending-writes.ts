import type { ChatHub } from "./hub";

/**
 * Tracks a background write so that shutdown waits for it. Never rejects, because a failed write only prevents a join.
 */
export async function trackWrite(hub: ChatHub, write: Promise<unknown>): Promise<void> {
  const tracked = write.then(
    () => undefined,
    (error: unknown) => hub.log.warn({ err: error }, "chat retry state not stored"),
  );
  hub.services.pendingWrites.add(tracked);
  await tracked;
  hub.services.pendingWrites.delete(tracked);
}

/** Waits for the tracked writes. */
export const flushWrites = async (hub: ChatHub): Promise<void> => void (await Promise.all(hub.services.pendingWrites));
