import { isDeadlock, isSnapshotStale } from "./violation";

const MAX_TRIES = 5;

/**
 * Runs a statement or transaction again when Postgres rolled it back because its snapshot was too old, or to end a
 * deadlock. Statements that move money have an old snapshot when a key's limit is changed while they wait for the
 * account's lock (decision 36). Nothing of a try that failed is stored, so `work` must do nothing outside the database
 * that may not be repeated.
 */
export async function retryStale<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !(isSnapshotStale(error) || isDeadlock(error))) throw error;
    }
  }
}
