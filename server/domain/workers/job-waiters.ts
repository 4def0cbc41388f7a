/** A place in the line of those who wait for jobs of their models. */
export interface Ticket {
  /** Waits until there may be a job; at once if that was told since the last call. False: the wait is over. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<boolean>;
  /** Out of the line. What it was told and did not look at, or `found` more of, goes on to the next. */
  leave(found: boolean): void;
}

interface Waiter {
  models: string[];
  told: boolean;
  wake: () => void;
}

const LOOK_MS = 1_000;

/**
 * Those who wait in this process. A notice wakes the first one that it concerns, and whoever found a job wakes the
 * next: a hundred idle workers do not all ask the database for one job. Now and then, as long as anybody waits, it
 * looks for what nobody tells: `look`, then the first of each kind.
 */
export function createJobWaiters(look: () => Promise<unknown>) {
  const waiters = new Set<Waiter>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const wake = (concerns: (waiter: Waiter) => boolean) => {
    const next = [...waiters].find((waiter) => !waiter.told && concerns(waiter));
    if (!next) return;
    next.told = true;
    next.wake();
  };
  const wakeEachKind = () => {
    for (const kind of new Set([...waiters].map(kindOf))) wake((waiter) => kindOf(waiter) === kind);
  };

  return {
    /** There may be jobs of this model, or of any. */
    notify: (model: string) => (model === "" ? wakeEachKind() : wake(({ models }) => models.includes(model))),

    join(models: string[]): Ticket {
      const waiter: Waiter = { models, told: false, wake: () => undefined };
      waiters.add(waiter);
      timer ??= setInterval(() => void look().then(wakeEachKind, () => undefined), LOOK_MS).unref();
      return {
        async wait(ms, signal) {
          if (!waiter.told && !closed) await sleep(waiter, ms, signal);
          const goesOn = waiter.told && !closed && !signal?.aborted;
          if (goesOn) waiter.told = false;
          return goesOn;
        },
        leave(found) {
          waiters.delete(waiter);
          if (waiters.size === 0) {
            clearInterval(timer);
            timer = undefined;
          }
          if (found || waiter.told) wake((other) => other.models.some((model) => models.includes(model)));
        },
      };
    },

    get isClosed() {
      return closed;
    },

    /** Ends every wait, those to come as well. */
    close() {
      closed = true;
      for (const { wake } of waiters) wake();
    },
  };
}

const kindOf = ({ models }: Waiter) => models.join("\n");

function sleep(waiter: Waiter, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    waiter.wake = end;
    if (signal?.aborted) end();
  });
}
