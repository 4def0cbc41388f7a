import type { Queryable } from "../../server/db/client";
import { int4, int8Number, timestamptz } from "../../server/db/column-types";
import { statement } from "../../server/db/statement";
import { LEASE_MS } from "./lease";

const DAY_MS = 86_400_000;
const MAX_ROWS = 1_000;
// By how much the clock of another engine may be ahead.
const MAX_CLOCK_SKEW_MS = 1_000;

/**
 * Deletes event ids after a day, completed and canceled runs after seven, failed ones after thirty, and empty
 * concurrency groups, at most 1,000 rows of each. Returns whether more may be left.
 */
export async function purgeExpired(db: Queryable, now: Date): Promise<boolean> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const [row] = await deleteExpired(db, daysAgo(1), daysAgo(7), daysAgo(30), MAX_ROWS);
  return row!.deleted === MAX_ROWS;
}

const deleteExpired = statement({
  params: [timestamptz, timestamptz, timestamptz, int8Number],
  row: { deleted: int4 },
  text: `
  WITH event_id AS (
    DELETE FROM engine.processed_event WHERE key IN (
      SELECT key FROM engine.processed_event WHERE processed_at < $1 ORDER BY processed_at LIMIT $4)
    RETURNING 1
  ),
  ended_run AS (
    DELETE FROM engine.run WHERE id IN (
      SELECT id FROM engine.run WHERE status IN ('completed', 'canceled') AND ended_at < $2 ORDER BY ended_at LIMIT $4)
    RETURNING 1
  ),
  failed_run AS (
    DELETE FROM engine.run WHERE id IN (
      SELECT id FROM engine.run WHERE status = 'failed' AND ended_at < $3 ORDER BY ended_at LIMIT $4)
    RETURNING 1
  ),
  empty_group AS (
    DELETE FROM engine.concurrency_group WHERE runs = 0 AND waiting = 0 AND executing = 0 AND id IN (
      SELECT id FROM engine.concurrency_group g WHERE runs = 0
        AND NOT EXISTS (SELECT FROM engine.run r WHERE r.concurrency_group_id = g.id AND r.status = 'failed') LIMIT $4)
    RETURNING 1
  )
  SELECT greatest((SELECT count(*) FROM event_id), (SELECT count(*) FROM ended_run),
                  (SELECT count(*) FROM failed_run), (SELECT count(*) FROM empty_group))::int AS deleted`,
});

/**
 * Corrects times that were set before the clock went back: afterwards no job or lease is further in the future than its
 * own duration, and no event id is in the future. If this engine saw the clock go back, schedules start runs at the times
 * that come again; otherwise an id may be in the future because the clock of another engine is ahead.
 */
export async function pullBackTimes(db: Queryable, now: Date, isSetBack: boolean): Promise<void> {
  await pullBackJobs(db, now);
  await pullBackLeases(db, new Date(now.getTime() + LEASE_MS));
  if (isSetBack) await deleteScheduledIds(db, new Date(now.getTime() + MAX_CLOCK_SKEW_MS));
  await pullBackEventIds(db, now);
}

const pullBackJobs = statement({
  params: [timestamptz],
  row: {},
  text: `
  UPDATE engine.job SET due_at = $1::timestamptz + (due_at - scheduled_at), scheduled_at = $1
  WHERE id IN (SELECT id FROM engine.job WHERE state = 'later' AND due_at > $1 AND scheduled_at > $1
               ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
});

const pullBackLeases = statement({
  params: [timestamptz],
  row: {},
  text: "UPDATE engine.instance SET lease_expires_at = $1 WHERE lease_expires_at > $1",
});

const deleteScheduledIds = statement({
  params: [timestamptz],
  row: {},
  text: "DELETE FROM engine.processed_event WHERE processed_at > $1 AND key LIKE 'event:cron:%'",
});

const pullBackEventIds = statement({
  params: [timestamptz],
  row: {},
  text: "UPDATE engine.processed_event SET processed_at = $1 WHERE processed_at > $1",
});
