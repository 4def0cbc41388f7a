import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseUnavailable } from "./is-unavailable";

const MAX_MS = 60_000;
const PAUSE_MS = 250;

/**
 * Repeats work for up to a minute while it fails because the database is unavailable. Rejects with its last error, or with
 * the signal's reason.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const endsAt = performance.now() + MAX_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > endsAt) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}
