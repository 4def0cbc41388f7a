import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { type ConcurrencyLimit, createConcurrencyLimit } from "./concurrency-limit";

interface Options {
  /** The most items of one call. */
  maxItems?: number;
  /** Bounds how many calls run at once; batchers that share one wait for each other. */
  limiter?: ConcurrencyLimit;
  /** Returns whether one item may be the reason why a call failed. */
  isOfOneItem?: (error: unknown) => boolean;
}

interface Waiting<I, O> {
  item: I;
  since: number;
  resolve(value: O): void;
  reject(error: unknown): void;
}

export interface Batcher<I, O> {
  (item: I): Promise<O>;
  /** Returns how many milliseconds the oldest item has waited for a call; 0 if none waits. */
  waitMs(): number;
}

/**
 * Returns a function that batches its concurrent callers: items that arrive before `limiter` admits the next call of `work` share
 * that call. A lone caller never waits. `work` returns one result for each item, in their order; when it rejects, every caller of
 * that call gets the rejection, unless `isOfOneItem` returns true: then each item is tried alone.
 */
export function createBatcher<I, O>(
  work: (items: I[]) => Promise<O[]>,
  { maxItems = 100, limiter = createConcurrencyLimit(2), isOfOneItem = () => false }: Options = {},
): Batcher<I, O> {
  let waiting: Waiting<I, O>[] = [];
  let isScheduled = false;

  const settle = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      const results = await work(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(results[index]!));
    } catch (error) {
      if (batch.length > 1 && isOfOneItem(error)) for (const entry of batch) await settle([entry]);
      else for (const entry of batch) entry.reject(error);
    }
  };
  const runBatch = async () => {
    // Requests that reached the sockets while the limiter was busy join this batch.
    await nextEventLoopTurn();
    isScheduled = false;
    const batch = waiting.slice(0, maxItems);
    waiting = waiting.slice(maxItems);
    if (waiting.length > 0) scheduleBatch();
    await settle(batch);
  };
  const scheduleBatch = () => {
    isScheduled = true;
    void limiter.run(runBatch);
  };

  const add = (item: I) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject });
      if (isScheduled) return;
      isScheduled = true;
      // Microtasks run after each request, so the batch starts only after all requests of this turn of the event loop.
      setImmediate(scheduleBatch);
    });
  return Object.assign(add, { waitMs: () => (waiting[0] ? performance.now() - waiting[0].since : 0) });
}
