import type { ChatHub } from "./hub";

/** Makes shutdown wait for a background write. Never rejects, because a failed write only keeps a retry from joining. */
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
