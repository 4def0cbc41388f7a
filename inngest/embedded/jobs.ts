import type { Queryable } from "../../server/db/client";
import {
  bool,
  int4,
  int8Number,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
  voidResult,
} from "../../server/db/column-types";
import { type RowOf, statement } from "../../server/db/statement";
import type { Hub } from "../../server/domain/hub";
import { operate, type Operator } from "../../server/domain/operator-actions";
import { AppError } from "../../server/errors";
import { isId } from "../../server/lib/id";
import { GENERATION_FAILED } from "../events";
import { ENGINE_CHANNEL } from "./engine-connection";

const runColumns = {
  id: uuid,
  function: text,
  status: textOf<"active" | "completed" | "failed" | "canceled">(),
  /** The value of the concurrency key, as JSON. */
  lane: text,
  startedAt: timestamptz,
  endedAt: nullable(timestamptz),
  /** The state and time of an active run's next job, and how many attempts failed before. */
  job: nullable(textOf<"later" | "ready" | "taken">()),
  dueAt: nullable(timestamptz),
  attempt: nullable(int4),
  /** Why it failed. */
  error: nullable(text),
};

export type RunRow = RowOf<typeof runColumns>;

/**
 * Returns the runs of the embedded engine, newest first; with `failed` only those that failed, without those whose
 * generation failed for a reason of its own.
 */
export const listJobs = (
  db: Queryable,
  { failed = false, limit }: { failed?: boolean; limit: number },
): Promise<RunRow[]> => selectRuns(db, failed, limit, GENERATION_FAILED);

/**
 * Restarts a failed run at its first step without a result. Returns false when there is no failed run of that id. The
 * events that would have canceled the run no longer do.
 */
export async function retryRun(db: Queryable, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return (await restartRun(db, id)).length > 0;
}

const selectRuns = statement({
  params: [bool, int8Number, text],
  row: runColumns,
  text: `
  SELECT r.id, r.function_id AS function, r.status, g.key AS lane, r.started_at AS "startedAt",
         r.ended_at AS "endedAt", j.state AS job, j.due_at AS "dueAt", j.attempt,
         CASE WHEN r.status = 'failed' THEN coalesce(r.result ->> 'message', r.result::text) END AS error
  FROM engine.run r
  LEFT JOIN engine.concurrency_group g ON g.id = r.concurrency_group_id
  LEFT JOIN LATERAL (
    SELECT state, due_at, attempt FROM engine.job WHERE run_id = r.id ORDER BY due_at NULLS FIRST LIMIT 1
  ) j ON true
  WHERE NOT $1 OR (r.status = 'failed' AND r.result ->> 'name' IS DISTINCT FROM $3) ORDER BY r.id DESC LIMIT $2`,
});

const restartRun = statement({
  params: [uuid],
  row: { pg_notify: voidResult },
  text: `
  WITH restarted AS (
    UPDATE engine.run SET status = 'active', pending_steps = 0, result = NULL, ended_at = NULL
    WHERE id = $1 AND status = 'failed' RETURNING id, concurrency_group_id
  ),
  deleted_result AS (DELETE FROM engine.step_result s USING restarted WHERE s.run_id = restarted.id AND s.failed),
  job AS (
    INSERT INTO engine.job (run_id, concurrency_group_id, step, kind, state)
    SELECT id, concurrency_group_id, 'step', 'call', 'ready' FROM restarted
  ),
  counted AS (
    UPDATE engine.concurrency_group g SET runs = runs + 1, waiting = waiting + 1
    FROM restarted WHERE g.id = restarted.concurrency_group_id
  )
  SELECT pg_notify('${ENGINE_CHANNEL}', '') FROM restarted`,
});

/** Restarts a failed run on behalf of an operator, as `retryRun` does. Throws a 404 when there is no failed run of that id. */
export async function retryFailedRun(hub: Hub, operator: Operator, id: string): Promise<void> {
  await operate(hub, operator, { action: "job.retry", target: { kind: "job", id } }, async (tx) => {
    if (!(await retryRun(tx, id))) throw new AppError("resource_not_found", `There is no failed job ${id}.`);
    return { before: null, after: null, result: undefined };
  });
}
