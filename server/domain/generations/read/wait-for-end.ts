import type { HubParts } from "../../../context";
import { array, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";

/** How often the rows of all awaited generations are read, in one statement. */
const POLL_INTERVAL_MS = 150;

/** Requests that wait for generations to end. */
interface EndWaiters {
  /** Calls `onEnd` once the generation has ended. Returns a function that stops waiting. */
  add(id: string, onEnd: () => void): () => void;
}

export interface WaitServices {
  /** The requests that wait for a generation to end. */
  endWaiters: EndWaiters;
}

/**
 * Returns the waiters of one process. One statement for all of them reads which have ended, whichever process ended them,
 * so that a waiting request holds no connection and hundreds cost hardly more than one.
 */
export function createEndWaiters(hub: Pick<HubParts, "db">): EndWaiters {
  const waiters = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;

  const poll = async () => {
    // The next poll repeats a statement that failed, such as during an outage of the database.
    const ended = await selectEnded(hub.db, [...waiters.keys()]).catch(() => []);
    for (const { id } of ended) waiters.get(id)?.forEach((onEnd) => onEnd());
    timer = undefined;
    schedule();
  };
  const schedule = () => {
    if (waiters.size > 0) timer ??= setTimeout(() => void poll(), POLL_INTERVAL_MS).unref();
  };

  return {
    add(id, onEnd) {
      const set = waiters.get(id) ?? new Set();
      waiters.set(id, set.add(onEnd));
      schedule();
      return () => {
        set.delete(onEnd);
        if (set.size === 0 && waiters.get(id) === set) waiters.delete(id);
      };
    },
  };
}

const selectEnded = statement({
  params: [array(uuid)],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE id = ANY ($1::uuid[]) AND completed_at IS NOT NULL",
});

/**
 * Resolves to true when the generation has ended, and to false after `ms` or when the signal aborts. The timer is a plain
 * one of Node: a signal of `AbortSignal.timeout` within `AbortSignal.any` may be collected before it fires.
 */
export function waitForEnd(
  { services }: { services: WaitServices },
  id: string,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const finish = (ended: boolean) => {
      remove();
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(ended);
    };
    const onAbort = () => finish(false);
    const timer = setTimeout(onAbort, ms);
    const remove = services.endWaiters.add(id, () => finish(true));
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
