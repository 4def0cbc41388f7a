import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../../lib/is-unavailable";

const MAX_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Repeats a write for up to a minute while the database is unavailable, because only this step knows what a provider has
 * responded, such as the id of a job. Rejects with the signal's reason.
 */
export async function retryWhileUnavailable<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + MAX_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > endsAt) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}
