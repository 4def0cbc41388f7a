import type { Queryable } from "../../server/db/client";
import { countConcurrencySql } from "./concurrency-groups";
import type { Outcome } from "./outcome";

/**
 * Commits outcomes in one statement: step results, new jobs and ends of runs. An outcome counts only while its run is
 * active and its job is still held, so that of two commits for one job only the first has an effect.
 */
export async function commitOutcomes(db: Queryable, instanceId: string, now: Date, outcomes: Outcome[]): Promise<void> {
  const jobs = outcomes.flatMap(({ newJobs = [] }, index) => newJobs.map((job) => ({ n: index + 1, ...job })));
  await db.query(commitOutcomesSql, [
    instanceId,
    now,
    outcomes.map(({ runId }) => runId),
    outcomes.map(({ jobId }) => jobId),
    outcomes.map(({ fromState }) => fromState),
    outcomes.map(({ stepResult }) => stepResult?.step),
    outcomes.map(({ stepResult }) => stepResult?.value),
    outcomes.map(({ stepResult }) => stepResult?.failed),
    outcomes.map(({ runEnd }) => runEnd?.status),
    outcomes.map(({ runEnd }) => runEnd?.result),
    outcomes.map(({ runEnd }) => runEnd?.failureEvent),
    jobs.map(({ n }) => n),
    jobs.map(({ step }) => step),
    jobs.map(({ kind }) => kind),
    jobs.map(({ attempt }) => attempt),
    jobs.map(({ dueAt }) => dueAt),
    jobs.map(({ wait }) => wait?.event),
    jobs.map(({ wait }) => wait?.key),
    jobs.map(({ wait }) => wait?.expression),
  ]);
}

// The active runs are locked first and in one order, so that two instances cannot deadlock. `pending` counts a run's
// planned steps; when it reaches zero, the function is called again to find out what comes next.
const commitOutcomesSql = `
  WITH outcome AS MATERIALIZED (
    SELECT * FROM unnest($3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::text[],
                         $10::text[], $11::text[])
      WITH ORDINALITY AS o (run_id, job_id, from_state, result_step, value, failed, end_status, result, event, n)
  ),
  new_job AS MATERIALIZED (
    SELECT * FROM unnest($12::bigint[], $13::text[], $14::text[], $15::integer[], $16::timestamptz[], $17::text[],
                         $18::text[], $19::text[])
      AS j (n, step, kind, attempt, due_at, event, key, expression)
  ),
  active_run AS MATERIALIZED (
    SELECT id, lane_id, pending FROM engine.run
    WHERE id IN (SELECT run_id FROM outcome) AND status = 'active' ORDER BY id FOR NO KEY UPDATE
  ),
  finished_job AS (
    DELETE FROM engine.job j USING outcome o, active_run
    WHERE j.id = o.job_id AND active_run.id = o.run_id AND j.run_id = o.run_id AND j.state = o.from_state
      AND (o.from_state = 'later' OR j.taken_by = $1)
    RETURNING o.n, j.id, j.lane_id, j.step, j.state
  ),
  valid_outcome AS MATERIALIZED (
    SELECT o.*, active_run.lane_id, finished_job.step AS finished_step
    FROM outcome o JOIN active_run ON active_run.id = o.run_id LEFT JOIN finished_job USING (n)
    WHERE o.job_id IS NULL OR finished_job.id IS NOT NULL
  ),
  stored_result AS (
    INSERT INTO engine.memo (run_id, step, failed, value)
    SELECT run_id, result_step, failed, value::json FROM valid_outcome WHERE result_step IS NOT NULL ORDER BY n
    ON CONFLICT DO NOTHING
  ),
  run_change AS MATERIALIZED (
    SELECT run_id, sum(added) - count(*) FILTER (WHERE finished_step <> 'step') AS pending,
           bool_or(is_called) AS is_called, min(end_status) AS end_status,
           min(result) FILTER (WHERE end_status IS NOT NULL) AS result, min(event) AS event
    FROM valid_outcome o CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE step <> 'step') AS added, count(*) FILTER (WHERE step = 'step') > 0 AS is_called
      FROM new_job WHERE new_job.n = o.n) added_jobs
    GROUP BY run_id
  ),
  run AS (
    UPDATE engine.run r SET pending = active_run.pending + c.pending, status = coalesce(c.end_status, r.status),
      result = c.result::json, ended_at = CASE WHEN c.end_status IS NOT NULL THEN $2::timestamptz END
    FROM run_change c JOIN active_run ON active_run.id = c.run_id WHERE r.id = c.run_id
    RETURNING r.id, r.lane_id, r.status, r.status = 'active' AND r.pending = 0 AND NOT c.is_called AS calls_next, c.event
  ),
  failure_event AS (
    INSERT INTO engine.event (name, body)
    SELECT 'inngest/function.failed', event::json FROM run WHERE event IS NOT NULL
  ),
  inserted_job AS (
    INSERT INTO engine.job (run_id, lane_id, step, kind, attempt, state, due_at, planned_at)
    SELECT run_id, o.lane_id, step, kind, attempt, CASE WHEN due_at IS NULL THEN 'ready' ELSE 'later' END, due_at, $2
    FROM new_job JOIN valid_outcome o USING (n) JOIN run ON run.id = o.run_id AND run.status = 'active'
    UNION ALL
    SELECT id, lane_id, 'step', 'call', 0, 'ready', NULL, NULL FROM run WHERE calls_next
    RETURNING lane_id, state
  ),
  inserted_wait AS (
    INSERT INTO engine.wait (run_id, step, event, key, expression)
    SELECT o.run_id, step, j.event, key, expression
    FROM new_job j JOIN valid_outcome o USING (n) JOIN run ON run.id = o.run_id AND run.status = 'active'
    WHERE key IS NOT NULL
  ),
  deleted_wait AS (
    DELETE FROM engine.wait w USING run
    WHERE w.run_id = run.id
      AND (run.status <> 'active'
           OR EXISTS (SELECT FROM valid_outcome o WHERE o.run_id = run.id AND o.result_step = w.step))
  ),
  deleted_job AS (
    DELETE FROM engine.job j USING run
    WHERE j.run_id = run.id AND run.status <> 'active'
      AND NOT EXISTS (SELECT FROM finished_job WHERE finished_job.id = j.id)
    RETURNING j.lane_id, j.state
  ),
  deleted_result AS (
    DELETE FROM engine.memo m USING run WHERE m.run_id = run.id AND run.status IN ('completed', 'canceled')
  ),
  group_change AS MATERIALIZED (
    SELECT lane_id, 0 AS runs, -(state = 'ready')::int AS waiting, -(state = 'taken')::int AS executing
    FROM finished_job
    UNION ALL SELECT lane_id, 0, -(state = 'ready')::int, -(state = 'taken')::int FROM deleted_job
    UNION ALL SELECT lane_id, 0, (state = 'ready')::int, 0 FROM inserted_job
    UNION ALL SELECT lane_id, -1, 0, 0 FROM run WHERE status <> 'active'
  ),
  ${countConcurrencySql}
  SELECT`;
