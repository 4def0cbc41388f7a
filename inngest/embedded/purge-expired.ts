import type { Queryable } from "../../server/db/client";

const DAY_MS = 86_400_000;
const MAX_ROWS = 1_000;

/**
 * Deletes dedupe keys after a day, completed and canceled runs after seven, failed ones after thirty, and empty
 * concurrency groups, at most 1,000 rows of each. Returns whether more are left.
 */
export async function purgeExpired(db: Queryable, now: Date): Promise<boolean> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const [row] = await db.query<{ deleted: number }>(purgeExpiredSql, [daysAgo(1), daysAgo(7), daysAgo(30), MAX_ROWS]);
  return row!.deleted === MAX_ROWS;
}

const purgeExpiredSql = `
  WITH dedupe_key AS (
    DELETE FROM engine.seen WHERE key IN (SELECT key FROM engine.seen WHERE at < $1 ORDER BY at LIMIT $4) RETURNING 1
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
    DELETE FROM engine.lane WHERE runs = 0 AND waiting = 0 AND executing = 0 AND id IN (
      SELECT id FROM engine.lane l WHERE runs = 0
        AND NOT EXISTS (SELECT FROM engine.run r WHERE r.lane_id = l.id AND r.status = 'failed') LIMIT $4)
    RETURNING 1
  )
  SELECT greatest((SELECT count(*) FROM dedupe_key), (SELECT count(*) FROM ended_run),
                  (SELECT count(*) FROM failed_run), (SELECT count(*) FROM empty_group))::int AS deleted`;
