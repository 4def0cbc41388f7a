import { setTimeout as sleep } from "node:timers/promises";
import { withGeneration } from "../../errors";
import type { Failure } from "../../providers/failure";
import { timedOut } from "../generations/row";
import type { ChatHub } from "./hub";
import { flushWrites } from "./pending-writes";

/** The reason with which a chat's signal is aborted; its `failure` is stored as the chat's error. */
export class ChatAborted extends Error {
  override readonly name = "ChatAborted";
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const RENEW_INTERVAL_MS = 10_000;

const stopped = new ChatAborted({ code: "internal_error", message: "The hub was stopped.", retryable: true });

/**
 * Runs one chat to its end even if the client disconnects. Aborts its signal at the timeout, and calls `renew` to renew its
 * lease while it runs, so that the sweep ends only chats whose process has exited.
 */
export async function trackInFlight<T>(
  hub: ChatHub,
  id: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  renew: () => void = () => hub.services.renewLease(id),
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new ChatAborted(timedOut)), timeoutMs);
  const renewal = setInterval(renew, RENEW_INTERVAL_MS).unref();
  const done = work(controller.signal);
  hub.chats.set(id, { done, stop: () => controller.abort(stopped) });
  try {
    return await done;
  } catch (error) {
    throw withGeneration(error, id);
  } finally {
    clearTimeout(timer);
    clearInterval(renewal);
    hub.chats.delete(id);
  }
}

/** Returns a promise that resolves when the chat has ended in this process; undefined when another process runs it. */
export const findInFlight = (hub: ChatHub, id: string): Promise<void> | undefined =>
  hub.chats.get(id)?.done.then(
    () => undefined,
    () => undefined,
  );

/** Waits for the running chats, and aborts those that still run after `gracePeriodMs`. All of them are settled in the end. */
export async function drainChats(hub: ChatHub, gracePeriodMs: number): Promise<void> {
  const { chats } = hub;
  const settled = () => Promise.allSettled([...chats.values()].map(({ done }) => done));
  const gracePeriod = sleep(gracePeriodMs, "over", { ref: false });
  while (chats.size > 0 && (await Promise.race([settled(), gracePeriod])) !== "over");
  for (const { stop } of chats.values()) stop();
  await settled();
  await flushWrites(hub);
}
