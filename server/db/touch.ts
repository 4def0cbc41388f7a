import { createBatcher } from "../lib/batch";
import { createConcurrencyLimit } from "../lib/concurrency-limit";
import type { Logger } from "../lib/log";
import type { Queryable } from "./client";
import { array, timestamptz, uuid } from "./column-types";
import { statement } from "./statement";

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
 * Returns a function that notes in the column `target` that its row was used just now. One statement, outside of the
 * requests, covers all rows that are noted at the same time. The function never throws.
 */
export function createTouch({ db, now, log }: Owner, target: keyof typeof touchRows): (id: string) => void {
  const touch = createBatcher<string, void>(
    async (ids) => {
      const time = now();
      await touchRows[target](db, [...new Set(ids)], time, new Date(time.getTime() - MIN_INTERVAL_MS));
      return ids.map(() => undefined);
    },
    { maxItems: MAX_ROWS, limiter: createConcurrencyLimit(1) },
  );
  return (id) => void touch(id).catch((error: unknown) => log.warn({ err: error }, `${target} could not be noted`));
}

const declareTouch = (table: string, column: string) =>
  statement({
    params: [array(uuid), timestamptz, timestamptz],
    row: {},
    text: `
      UPDATE ${table} SET ${column} = $2 WHERE id IN (
        SELECT id FROM ${table} WHERE id = ANY ($1::uuid[]) AND (${column} IS NULL OR ${column} <= $3)
        ORDER BY id FOR NO KEY UPDATE)`,
  });

const touchRows = {
  "api_key.last_used_at": declareTouch("api_key", "last_used_at"),
  "session.last_seen_at": declareTouch("session", "last_seen_at"),
};
