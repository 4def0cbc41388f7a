import { isSnapshotStale } from "./violation";

const MAX_TRIES = 5;

/**
 * Runs a statement or transaction again when its snapshot was too old. Statements that move money fail like this when a
 * key's limit is changed while they wait for the account's lock (decision 36).
 */
export async function retryStale<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !isSnapshotStale(error)) throw error;
    }
  }
}
