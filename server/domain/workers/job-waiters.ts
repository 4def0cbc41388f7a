import { requeueExpiredLeases, type RunHub } from "../generations/run";

/** A worker's place in the queue of those that wait for jobs. */
interface Ticket {
  /** Resolves to true when there may be a job (at once if notified since the last call), and to false when the wait is over. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<boolean>;
  /** Leaves the queue. Notifies the next waiter when a job was `found`, or when this worker has not used its notification. */
  leave(found: boolean): void;
}

interface Waiter {
  models: string[];
  notified: boolean;
  wake: () => void;
}

const POLL_INTERVAL_MS = 1_000;

/**
 * Returns the queue of this process's workers that wait for jobs. A notification wakes the first waiter that it concerns,
 * and a waiter that found a job wakes the next, so a hundred idle workers do not all query the database for one job. While
 * the queue is not empty, `poll` runs once a second and then one waiter per set of models wakes, because a notification may
 * be lost.
 */
function createJobWaiters(poll: () => Promise<unknown>) {
  const waiters = new Set<Waiter>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const wake = (matches: (waiter: Waiter) => boolean) => {
    const next = [...waiters].find((waiter) => !waiter.notified && matches(waiter));
    if (!next) return;
    next.notified = true;
    next.wake();
  };
  const wakeOnePerModelSet = () => {
    for (const key of new Set([...waiters].map(modelSetKey))) wake((waiter) => modelSetKey(waiter) === key);
  };

  return {
    /** Reports that there may be jobs of this model; an empty text stands for any model. */
    notify: (model: string) => (model === "" ? wakeOnePerModelSet() : wake(({ models }) => models.includes(model))),

    join(models: string[]): Ticket {
      const waiter: Waiter = { models, notified: false, wake: () => undefined };
      waiters.add(waiter);
      timer ??= setInterval(() => void poll().then(wakeOnePerModelSet, () => undefined), POLL_INTERVAL_MS).unref();
      return {
        async wait(ms, signal) {
          if (!waiter.notified && !closed) await sleep(waiter, ms, signal);
          const hasNotification = waiter.notified && !closed && !signal?.aborted;
          if (hasNotification) waiter.notified = false;
          return hasNotification;
        },
        leave(found) {
          waiters.delete(waiter);
          if (waiters.size === 0) {
            clearInterval(timer);
            timer = undefined;
          }
          if (found || waiter.notified) wake((other) => other.models.some((model) => models.includes(model)));
        },
      };
    },

    get isClosed() {
      return closed;
    },

    /** Ends every present and future wait. */
    close() {
      closed = true;
      for (const { wake } of waiters) wake();
    },
  };
}

/** The services for workers that the requests of one process share. */
export interface WorkerServices {
  /** The workers of this process that wait for jobs; `notify` is called with every notification on the workers' channel. */
  jobWaiters: ReturnType<typeof createJobWaiters>;
}

/** Returns the services of workers. */
export const createWorkerServices = (hub: RunHub): WorkerServices => ({
  jobWaiters: createJobWaiters(() => requeueExpiredLeases(hub)),
});

const modelSetKey = ({ models }: Waiter) => models.join("\n");

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
