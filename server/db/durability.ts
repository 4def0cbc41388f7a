import { createBatcher } from "../lib/batch";
import { createConcurrencyLimit } from "../lib/concurrency-limit";
import type { Queryable } from "./client";
import { pgLsn } from "./column-types";
import { statement } from "./statement";

/**
 * Returns SQL for a column `commits_async` that lets this statement commit without waiting for the disk where the
 * condition is true (decision 13).
 */
export const asyncCommitSql = (condition: string): string =>
  `CASE WHEN ${condition} THEN set_config('synchronous_commit', 'off', true) END AS commits_async`;

/** How the requests of one process wait for durability. */
export interface Durability {
  /** Waits until all that was committed before is on the disk, and on every standby that commits wait for. */
  waitForDurability: () => Promise<void>;
}

/** Returns the durability of a process, whose concurrent requests share one wait. */
export const createDurability = (db: Queryable): Durability => ({
  waitForDurability: createBatcher<void, void>(
    async (waiting) => {
      await emitMessage(db);
      return waiting;
    },
    { maxItems: 10_000, limiter: createConcurrencyLimit(2) },
  ),
});

// Committing a message that nobody reads waits for everything written before, and leaves no row.
const emitMessage = statement({
  params: [],
  row: { pg_logical_emit_message: pgLsn },
  text: "SELECT pg_logical_emit_message(true, 'generation-hub', '')",
});
