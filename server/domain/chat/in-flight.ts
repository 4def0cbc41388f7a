import { setTimeout as sleep } from "node:timers/promises";
import type { Hub } from "../../context";
import { ChatAborted } from "./aborted";
import { flushWrites } from "./pending-writes";
import { renewLeases } from "./renew-leases";

const RENEW_MS = 10_000;

const late = new ChatAborted({ code: "timeout", message: "It took longer than its model allows.", retryable: true });
const stopped = new ChatAborted({ code: "internal_error", message: "The hub was stopped.", retryable: true });

/**
 * Does the work of one chat to its end, whatever becomes of the client's socket: aborts its signal when its time is
 * up, and moves its deadline on meanwhile, so that the sweep ends only chats whose process is gone.
 */
export async function trackInFlight<T>(
  hub: Hub,
  id: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  const renewal = setInterval(() => renewLeases(hub)(id), RENEW_MS).unref();
  const done = work(controller.signal);
  hub.chats.set(id, { done, stop: () => controller.abort(stopped) });
  try {
    return await done;
  } finally {
    clearTimeout(timer);
    clearInterval(renewal);
    hub.chats.delete(id);
  }
}

/** Resolves when this process is through with the chat, however it ended; undefined when it does not run it. */
export const findInFlight = (hub: Hub, id: string): Promise<void> | undefined =>
  hub.chats.get(id)?.done.then(
    () => undefined,
    () => undefined,
  );

/** Waits for the chats under way, and ends those that are left after so many milliseconds: each settles its record. */
export async function drainChats(hub: Hub, patienceMs: number): Promise<void> {
  const { chats } = hub;
  const landed = () => Promise.allSettled([...chats.values()].map(({ done }) => done));
  const patience = sleep(patienceMs, "over", { ref: false });
  while (chats.size > 0 && (await Promise.race([landed(), patience])) !== "over");
  for (const { stop } of chats.values()) stop();
  await landed();
  await flushWrites(hub);
}
