import { setImmediate as turn } from "node:timers/promises";
import { createConcurrencyLimit } from "./concurrency-limit";

interface Waiting<I, O> {
  item: I;
  resolve(value: O): void;
  reject(error: unknown): void;
}

/**
 * Lets concurrent callers share one call of `work`: what arrives before the next call has its turn in `lane` goes
 * together into it. A lone caller never waits. `work` answers in the order of its items; a rejection reaches every
 * caller of that call.
 */
export function createBatcher<I, O>(
  work: (items: I[]) => Promise<O[]>,
  { most = 100, lane = createConcurrencyLimit(2) } = {},
): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  let queued = false;

  const run = async () => {
    // What has come to the sockets while the lane was taken travels along.
    await turn();
    queued = false;
    const taken = waiting.slice(0, most);
    waiting = waiting.slice(most);
    if (waiting.length > 0) queue();
    try {
      const answers = await work(taken.map((entry) => entry.item));
      taken.forEach((entry, index) => entry.resolve(answers[index]!));
    } catch (error) {
      for (const entry of taken) entry.reject(error);
    }
  };
  const queue = () => {
    queued = true;
    void lane.run(run);
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (queued) return;
      queued = true;
      // Requests that arrive in one turn of the event loop travel together: microtasks run after each of them.
      setImmediate(queue);
    });
}
