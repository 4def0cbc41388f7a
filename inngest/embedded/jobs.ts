import type { Queryable } from "../../server/db/client";
import { isId } from "../../server/lib/id";
import { GENERATION_FAILED } from "../generation-failed";
import { CHANNEL } from "./engine-connection";

export interface RunRow {
  id: string;
  function: string;
  status: "active" | "completed" | "failed" | "canceled";
  /** The concurrency key's value, as JSON. */
  lane: string;
  startedAt: Date;
  endedAt: Date | null;
  /** Of an active run: its next job's state and time, and how often that was tried before. */
  job: "later" | "ready" | "taken" | null;
  dueAt: Date | null;
  attempt: number | null;
  /** Why it failed. */
  error: string | null;
}

/**
 * Returns the runs of the embedded engine, newest first; with `failed` only those that failed, without those whose
 * generation failed for a reason of its own.
 */
export const listJobs = (on: Queryable, { failed = false, limit }: { failed?: boolean; limit: number }) =>
  on.query<RunRow>(list, [failed, limit, GENERATION_FAILED]);

/**
 * Lets a failed run go on from its first step without a result. False when there is no failed run of that id. What
 * would have canceled it no longer does.
 */
export async function retryRun(on: Queryable, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return (await on.query(retry, [id])).length > 0;
}

const list = `
  SELECT r.id, r.function_id AS function, r.status, l.key AS lane, r.started_at AS "startedAt",
         r.ended_at AS "endedAt", j.state AS job, j.due_at AS "dueAt", j.attempt,
         CASE WHEN r.status = 'failed' THEN coalesce(r.result ->> 'message', r.result::text) END AS error
  FROM engine.run r
  LEFT JOIN engine.lane l ON l.id = r.lane_id
  LEFT JOIN LATERAL (
    SELECT state, due_at, attempt FROM engine.job WHERE run_id = r.id ORDER BY due_at NULLS FIRST LIMIT 1
  ) j ON true
  WHERE NOT $1 OR (r.status = 'failed' AND r.result ->> 'name' IS DISTINCT FROM $3) ORDER BY r.id DESC LIMIT $2`;

const retry = `
  WITH revived AS (
    UPDATE engine.run SET status = 'active', pending = 0, result = NULL, ended_at = NULL
    WHERE id = $1 AND status = 'failed' RETURNING id, lane_id
  ),
  forgotten AS (DELETE FROM engine.memo m USING revived WHERE m.run_id = revived.id AND m.failed),
  job AS (
    INSERT INTO engine.job (run_id, lane_id, step, kind, state) SELECT id, lane_id, 'step', 'call', 'ready' FROM revived
  ),
  counted AS (
    UPDATE engine.lane l SET runs = runs + 1, waiting = waiting + 1 FROM revived WHERE l.id = revived.lane_id
  )
  SELECT pg_notify('${CHANNEL}', '') FROM revived`;
