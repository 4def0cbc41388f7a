import { createConcurrencyLimit } from "./concurrency-limit";

export interface WorkQueue {
  /**
   * Runs work under a key, a few at a time; callers with the same key share one run. `signal` aborts after `maxWaitMs`, and the
   * work passes it to its own waits. Throws the error of `busy` when too many wait or the wait takes too long.
   */
  run<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface Limits {
  maxRunning: number;
  maxPending: number;
  maxWaitMs: number;
  busy: () => Error;
}

/** Returns a queue for work that several requests may want at once. */
export function createWorkQueue({ maxRunning, maxPending, maxWaitMs, busy }: Limits): WorkQueue {
  const limit = createConcurrencyLimit(maxRunning);
  const pending = new Map<string, Promise<unknown>>();

  const start = async <T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(maxWaitMs);
    try {
      return await limit.run(() => work(signal), signal);
    } catch (error) {
      throw signal.aborted && error === signal.reason ? busy() : error;
    } finally {
      pending.delete(key);
    }
  };

  return {
    async run<T>(key: string, work: (signal: AbortSignal) => Promise<T>) {
      const running = pending.get(key) as Promise<T> | undefined;
      if (running) return running;
      if (pending.size >= maxPending) throw busy();
      const started = start(key, work);
      pending.set(key, started);
      return started;
    },
  };
}
