export interface Limit {
  /** Waits for its turn, first come first served. An abort while it waits rejects with the signal's reason. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  readonly idle: boolean;
}

/** Lets at most `most` pieces of work run at the same time. */
export function createLimit(most: number): Limit {
  let active = 0;
  const waiting = new Set<() => void>();

  const enter = (signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const admit = () => {
        signal?.removeEventListener("abort", giveUp);
        active += 1;
        resolve();
      };
      const giveUp = () => {
        waiting.delete(admit);
        reject(signal!.reason as Error);
      };
      if (active < most) return admit();
      waiting.add(admit);
      signal?.addEventListener("abort", giveUp, { once: true });
    });

  const leave = () => {
    active -= 1;
    const [next] = waiting;
    if (!next) return;
    waiting.delete(next);
    next();
  };

  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    get idle() {
      return active === 0 && waiting.size === 0;
    },
  };
}
