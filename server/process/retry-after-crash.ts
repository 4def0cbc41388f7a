import { setTimeout as sleep } from "node:timers/promises";
import type { Membership } from "../db/embedded/membership";
import { isDatabaseUnavailable } from "../lib/is-unavailable";
import { OperatorError } from "../lib/operator-error";

const MAX_MS = 60_000;
const PAUSE_MS = 250;

/**
 * Retries a step of the start for up to a minute while it fails because the database crashed. Rejects with an
 * OperatorError if the database is lost for good.
 */
export async function retryAfterCrash<T>(database: Pick<Membership, "lost">, start: () => Promise<T>): Promise<T> {
  let lostReason: string | undefined;
  void database.lost.then((reason) => (lostReason = reason));
  const deadline = performance.now() + MAX_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error;
      await sleep(PAUSE_MS);
      if (lostReason !== undefined) throw new OperatorError(lostReason);
    }
  }
}
