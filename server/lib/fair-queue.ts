import { setTimeout as sleep } from "node:timers/promises";
import { AppError, type ErrorCode } from "../errors";

export interface FairQueue {
  /**
   * Runs work when its turn comes: owners take turns, and the work of one owner runs in its order. Rejects at once with
   * a 429 when too much work of this owner waits, and with a 503 when too much waits in total.
   */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

interface Options {
  maxRunning: number;
  /** How much work may wait in total, and for one owner. */
  maxWaiting: number;
  maxWaitingPerOwner: number;
  /** Whether a pause follows each piece of work, as long as it took, in which everything else is served. */
  isPaced?: boolean;
}

const busyError = (code: ErrorCode, message: string) => new AppError(code, message, {}, { "Retry-After": "1" });

/** Returns a queue in which an owner with much work delays the others by one piece of it at a time. */
export function createFairQueue(options: Options): FairQueue {
  const { maxRunning, maxWaiting, maxWaitingPerOwner, isPaced = false } = options;
  // The owner whose turn it is comes first.
  const waiting = new Map<string, (() => void)[]>();
  let total = 0;
  let running = 0;

  const startNext = () => {
    for (const [owner, starts] of waiting) {
      if (running >= maxRunning) return;
      const start = starts.shift()!;
      waiting.delete(owner);
      if (starts.length > 0) waiting.set(owner, starts);
      total -= 1;
      running += 1;
      start();
    }
  };
  const finish = () => {
    running -= 1;
    startNext();
  };
  const waitForTurn = (owner: string) =>
    new Promise<void>((resolve) => {
      waiting.set(owner, [...(waiting.get(owner) ?? []), resolve]);
      total += 1;
      startNext();
    });

  return {
    async run(owner, work) {
      if (running >= maxRunning) {
        if ((waiting.get(owner)?.length ?? 0) >= maxWaitingPerOwner)
          throw busyError("rate_limited", "Too many requests at once. Try again soon.");
        if (total >= maxWaiting) throw busyError("service_unavailable", "The hub is busy. Try again soon.");
      }
      await waitForTurn(owner);
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        if (isPaced) void sleep(Math.ceil(performance.now() - startedAt)).then(finish);
        else finish();
      }
    },
  };
}
