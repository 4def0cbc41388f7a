import type { Membership } from "../db/embedded/membership";
import { OperatorError } from "../lib/operator-error";
import { retryWhileUnavailable } from "../lib/retry-while-unavailable";

/**
 * Retries a step of the start for up to a minute while it fails because the database crashed. Rejects with an
 * OperatorError if the database is lost for good.
 */
export async function retryAfterCrash<T>(database: Pick<Membership, "lost">, start: () => Promise<T>): Promise<T> {
  let lostReason: string | undefined;
  void database.lost.then((reason) => (lostReason = reason));
  return retryWhileUnavailable(async () => {
    if (lostReason !== undefined) throw new OperatorError(lostReason);
    return start();
  });
}
