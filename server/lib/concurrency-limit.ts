export interface ConcurrencyLimit {
  /**
   * Waits for its turn, first come first served, and takes `weight` of the limit while the work runs. An abort while it
   * waits rejects with the signal's reason. Throws RangeError for a weight that could never be admitted.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal, weight?: number): Promise<T>;
  readonly idle: boolean;
  /** Whether exactly one piece of work, of weight 1, runs and nothing waits. */
  readonly runsOne: boolean;
}

interface Waiter {
  weight: number;
  admit: () => void;
}

/** Returns a limit under which the weights of all work that runs at the same time are at most `maxWeight` together. */
export function createConcurrencyLimit(maxWeight: number): ConcurrencyLimit {
  let active = 0;
  const waiting = new Set<Waiter>();

  const admitWaiting = () => {
    // Nobody is passed over: otherwise a heavy one would starve while light ones keep arriving.
    for (const waiter of waiting) {
      if (active + waiter.weight > maxWeight) return;
      waiting.delete(waiter);
      active += waiter.weight;
      waiter.admit();
    }
  };

  const waitForTurn = (weight: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const onAbort = () => {
        waiting.delete(waiter);
        reject(signal!.reason as Error);
        admitWaiting();
      };
      const admit = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const waiter: Waiter = { weight, admit };
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.add(waiter);
      admitWaiting();
    });

  return {
    async run(work, signal, weight = 1) {
      if (weight > maxWeight) throw new RangeError(`a weight of ${weight} is more than the limit of ${maxWeight}`);
      await waitForTurn(weight, signal);
      try {
        return await work();
      } finally {
        active -= weight;
        admitWaiting();
      }
    },
    get idle() {
      return active === 0 && waiting.size === 0;
    },
    get runsOne() {
      return active === 1 && waiting.size === 0;
    },
  };
}

/** Returns the same limit, which reports the seconds that each piece of work has waited for its turn. */
export const measureWaits = (limit: ConcurrencyLimit, report: (seconds: number) => void): ConcurrencyLimit => ({
  run(work, signal, weight) {
    const startedAt = performance.now();
    const measured = () => {
      report((performance.now() - startedAt) / 1000);
      return work();
    };
    return limit.run(measured, signal, weight);
  },
  get idle() {
    return limit.idle;
  },
  get runsOne() {
    return limit.runsOne;
  },
});
