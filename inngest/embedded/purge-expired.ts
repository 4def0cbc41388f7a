import type { Queryable } from "../../server/db/client";

const DAY_MS = 86_400_000;
const MOST = 1_000;

/** Removes what nobody asks for any longer, a bounded number of rows at a time. Answers whether more is left. */
export async function purgeExpired(on: Queryable, now: Date): Promise<boolean> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const [row] = await on.query<{ most: number }>(statement, [ago(1), ago(7), ago(30), MOST]);
  return row!.most === MOST;
}

const statement = `
  WITH seen AS (
    DELETE FROM engine.seen WHERE key IN (SELECT key FROM engine.seen WHERE at < $1 ORDER BY at LIMIT $4) RETURNING 1
  ),
  finished AS (
    DELETE FROM engine.run WHERE id IN (
      SELECT id FROM engine.run WHERE status IN ('completed', 'canceled') AND ended_at < $2 ORDER BY ended_at LIMIT $4)
    RETURNING 1
  ),
  failed AS (
    DELETE FROM engine.run WHERE id IN (
      SELECT id FROM engine.run WHERE status = 'failed' AND ended_at < $3 ORDER BY ended_at LIMIT $4)
    RETURNING 1
  ),
  empty AS (
    DELETE FROM engine.lane WHERE runs = 0 AND waiting = 0 AND executing = 0 AND id IN (
      SELECT id FROM engine.lane l WHERE runs = 0
        AND NOT EXISTS (SELECT FROM engine.run r WHERE r.lane_id = l.id AND r.status = 'failed') LIMIT $4)
    RETURNING 1
  )
  SELECT greatest((SELECT count(*) FROM seen), (SELECT count(*) FROM finished), (SELECT count(*) FROM failed),
                  (SELECT count(*) FROM empty))::int AS most`;
