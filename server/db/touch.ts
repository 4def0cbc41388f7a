import { createBatcher } from "../lib/batch";
import { createConcurrencyLimit } from "../lib/concurrency-limit";
import type { Logger } from "../lib/log";
import type { Queryable } from "./client";

const MIN_INTERVAL_MS = 60_000;
const MAX_ROWS = 10_000;

/** Returns whether the use of a row at this moment is worth a write: at most one a minute. */
export const isTouchDue = (last: Date | null, now: Date): boolean =>
  last === null || now.getTime() - last.getTime() >= MIN_INTERVAL_MS;

interface Owner {
  db: Queryable;
  now: () => Date;
  log: Logger;
}

/**
 * Returns a function that notes in `column` that a row of `table` was used just now. One statement covers all rows that
 * are noted at once, apart from the request; it never throws.
 */
export function createTouch({ db, now, log }: Owner, table: string, column: string): (id: string) => void {
  const touchRowsSql = `
    UPDATE ${table} SET ${column} = $2 WHERE id IN (
      SELECT id FROM ${table} WHERE id = ANY ($1::uuid[]) AND (${column} IS NULL OR ${column} <= $3)
      ORDER BY id FOR NO KEY UPDATE)`;
  const touch = createBatcher<string, void>(
    async (ids) => {
      const time = now();
      await db.query(touchRowsSql, [[...new Set(ids)], time, new Date(time.getTime() - MIN_INTERVAL_MS)]);
      return ids.map(() => undefined);
    },
    { maxItems: MAX_ROWS, limiter: createConcurrencyLimit(1) },
  );
  return (id) =>
    void touch(id).catch((error: unknown) => log.warn({ err: error }, `${table}.${column} could not be noted`));
}
