import type { HubParts } from "../../../context";
import { array, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { type ChangeServices, watchChanges } from "../changes";

/** How often the rows of all awaited generations are read, in case a notice was lost. */
const POLL_INTERVAL_MS = 1_000;
/** How soon the rows of new waiters are read, which may have ended before. */
const FIRST_READ_MS = 50;
/** How many ids one statement reads. */
const MAX_IDS = 500;

/** Requests that wait for generations to end. */
interface EndWaiters {
  /**
   * Calls `onEnd` once: with true when the generation has ended, with false when the process stops. Returns how to stop
   * waiting.
   */
  add(id: string, onEnd: (ended: boolean) => void): () => void;
  /** Returns how many requests wait. */
  count(): number;
  /** Ends every present and future wait. */
  close(): void;
}

export interface WaitServices {
  /** The requests that wait for a generation to end. */
  endWaiters: EndWaiters;
}

/**
 * Returns the waiters of one process. Notices tell which rows to read, and one statement reads them for all waiters, so that a
 * waiting request holds no connection and thousands cost hardly more than one.
 */
export function createEndWaiters(hub: Pick<HubParts, "db"> & { services: ChangeServices }): EndWaiters {
  const waiters = new Map<string, Set<(ended: boolean) => void>>();
  const unread: string[] = [];
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopWatching: (() => void) | undefined;
  let isClosed = false;

  const read = async (ids: string[]) => {
    for (let start = 0; start < ids.length; start += MAX_IDS) {
      // The next poll repeats a statement that failed, such as during an outage of the database.
      const ended = await selectEnded(hub.db, ids.slice(start, start + MAX_IDS)).catch(() => []);
      for (const { id } of ended) waiters.get(id)?.forEach((onEnd) => onEnd(true));
    }
  };
  const poll = async () => {
    await read([...waiters.keys()]);
    timer = undefined;
    schedule();
  };
  const schedule = () => {
    if (waiters.size > 0) timer ??= setTimeout(() => void poll(), POLL_INTERVAL_MS).unref();
  };
  const readFirst = (id: string) => {
    if (unread.length === 0) setTimeout(() => void read(unread.splice(0)), FIRST_READ_MS).unref();
    unread.push(id);
  };
  const onChanges = (ids: ReadonlySet<string> | null) => {
    const awaited = [...(ids ?? waiters.keys())].filter((id) => waiters.has(id));
    if (awaited.length > 0) void read(awaited);
  };

  return {
    add(id, onEnd) {
      if (isClosed) {
        onEnd(false);
        return () => undefined;
      }
      stopWatching ??= watchChanges(hub, onChanges);
      const set = waiters.get(id) ?? new Set();
      waiters.set(id, set.add(onEnd));
      waiting += 1;
      readFirst(id);
      schedule();
      return () => {
        if (set.delete(onEnd)) waiting -= 1;
        if (set.size === 0 && waiters.get(id) === set) waiters.delete(id);
      };
    },
    count: () => waiting,
    close() {
      isClosed = true;
      stopWatching?.();
      for (const set of waiters.values()) for (const onEnd of set) onEnd(false);
    },
  };
}

/** Up to how many waiting requests of a process `Prefer: wait` is honored. */
const MAX_PREFERRED_WAITS = 2_000;

/** Returns whether one more request with `Prefer: wait` may wait. */
export const hasRoomToWait = ({ services }: { services: WaitServices }): boolean =>
  services.endWaiters.count() < MAX_PREFERRED_WAITS;

const selectEnded = statement({
  params: [array(uuid)],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE id = ANY ($1::uuid[]) AND completed_at IS NOT NULL",
});

/**
 * Resolves to true when the generation has ended, and to false after `ms`, when the signal aborts or when the process stops.
 * The timer is a plain one of Node: a signal of `AbortSignal.timeout` within `AbortSignal.any` may be collected before it fires.
 */
export function waitForEnd(
  { services }: { services: WaitServices },
  id: string,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    let remove: () => void = () => undefined;
    const finish = (ended: boolean) => {
      remove();
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(ended);
    };
    const onAbort = () => finish(false);
    const timer = setTimeout(onAbort, ms);
    remove = services.endWaiters.add(id, finish);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
