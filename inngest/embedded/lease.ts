import type { Queryable } from "../../server/db/client";
import { countConcurrencySql } from "./concurrency-groups";

/** So long a process's lease lasts. */
export const LEASE_MS = 30_000;
/** A process renews its lease this often, and looks for others that did not. */
export const RENEW_MS = 10_000;

/** Says that this process lives, and frees the jobs of those that no longer do. Answers whether others live. */
export async function renewLease(on: Queryable, worker: string, now: Date): Promise<boolean> {
  await on.query(renew, [worker, new Date(now.getTime() + LEASE_MS)]);
  const [row] = await on.query<{ others: boolean }>(free, [worker, now]);
  return row!.others;
}

/** Frees the jobs of every other process: right only when there is none. */
export const freeAll = (on: Queryable, worker: string): Promise<unknown> => on.query(free, [worker, "infinity"]);

/** Gives back what this process still holds. */
export const endLease = (on: Queryable, worker: string): Promise<unknown> => on.query(end, [worker]);

const renew =
  "INSERT INTO engine.worker (id, until) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET until = excluded.until";

const freed = `
  freed AS (
    UPDATE engine.job j SET state = 'ready', taken_by = NULL FROM lost WHERE j.id = lost.id AND j.state = 'taken'
    RETURNING j.lane_id
  ),
  moved AS MATERIALIZED (SELECT lane_id, 0 AS runs, 1 AS waiting, -1 AS executing FROM freed),
  ${countConcurrencySql}
  SELECT EXISTS (SELECT FROM engine.worker WHERE id <> $1) AS others`;

const free = `
  WITH gone AS (DELETE FROM engine.worker WHERE id <> $1 AND until < $2),
  lost AS (
    SELECT id FROM engine.job WHERE state = 'taken' AND taken_by <> $1
      AND NOT EXISTS (SELECT FROM engine.worker w WHERE w.id = taken_by AND w.until >= $2)
    ORDER BY id FOR NO KEY UPDATE
  ),
  ${freed}`;

const end = `
  WITH gone AS (DELETE FROM engine.worker WHERE id = $1),
  lost AS (SELECT id FROM engine.job WHERE state = 'taken' AND taken_by = $1 ORDER BY id FOR NO KEY UPDATE),
  ${freed}`;
