import { batch } from "../lib/batch";
import { createLimit } from "../lib/limit";
import { oncePer } from "../lib/once-per";
import type { Queryable } from "./client";

/** SQL: where the condition holds, the commit of this statement does not wait for the disk (decision 13). */
export const unwaitedSql = (condition: string): string =>
  `CASE WHEN ${condition} THEN set_config('synchronous_commit', 'off', true) END`;

/** Waits until all that was committed before is on the disk, and on every standby that commits wait for. */
export const flush = (db: Queryable): Promise<void> => shared(db)();

// The commit of a message that nobody reads waits for all that was written before it, and leaves no row.
const shared = oncePer((db: Queryable) =>
  batch<void, void>(
    async (waiting) => {
      await db.query("SELECT pg_logical_emit_message(true, 'generation-hub', '')");
      return waiting;
    },
    { most: 10_000, lane: createLimit(2) },
  ),
);
