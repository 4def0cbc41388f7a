-- The outcomes, and what each adds to its run.
WITH outcome AS MATERIALIZED (
  SELECT * FROM json_to_recordset(:outcomes)
    AS o (n integer, run_id uuid, job_id bigint, from_state text, end_status text, result text)
),
new_job AS MATERIALIZED (
  SELECT * FROM json_to_recordset(:new_jobs)
    AS j (n integer, step text, kind text, attempt integer, due_at timestamptz, event text, key text, expression text)
),
new_result AS MATERIALIZED (
  SELECT * FROM ROWS FROM (json_to_recordset(:results) AS (n integer, step text, value text, failed boolean)) WITH ORDINALITY
    AS s (n, step, value, failed, position)
),
-- The active runs, locked in one order, so that two instances cannot deadlock.
active_run AS MATERIALIZED (
  SELECT id, concurrency_group_id, pending_steps FROM engine.run
  WHERE id IN (SELECT run_id FROM outcome) AND status = 'active' ORDER BY id FOR NO KEY UPDATE
),
-- The jobs that end with the outcomes, if this instance still holds them.
finished_job AS (
  DELETE FROM engine.job j USING outcome o, active_run
  WHERE j.id = o.job_id AND active_run.id = o.run_id AND j.run_id = o.run_id AND j.state = o.from_state
    AND (o.from_state = 'later' OR j.instance_id = :instance_id)
  RETURNING o.n, j.id, j.concurrency_group_id, j.step, j.state
),
-- The outcomes that count.
valid_outcome AS MATERIALIZED (
  SELECT o.*, active_run.concurrency_group_id, finished_job.step AS finished_step
  FROM outcome o JOIN active_run ON active_run.id = o.run_id LEFT JOIN finished_job USING (n)
  WHERE o.job_id IS NULL OR finished_job.id IS NOT NULL
),
-- How they change their runs.
run_change AS MATERIALIZED (
  SELECT run_id, sum(added) - count(*) FILTER (WHERE finished_step <> 'step') AS added_steps,
         bool_or(is_called) AS is_called, min(end_status) AS end_status, min(result) AS result
  FROM valid_outcome o CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE step <> 'step') AS added, count(*) FILTER (WHERE step = 'step') > 0 AS is_called
    FROM new_job WHERE new_job.n = o.n) added_jobs
  GROUP BY run_id
),
-- The results of steps. A run that ends without a failure needs none.
stored_result AS (
  INSERT INTO engine.step_result (run_id, step, failed, value)
  SELECT run_id, s.step, s.failed, s.value::json
  FROM new_result s JOIN valid_outcome USING (n) JOIN run_change c USING (run_id)
  WHERE c.end_status IS NULL OR c.end_status = 'failed' ORDER BY s.position
  ON CONFLICT DO NOTHING
),
-- The runs. Their column pending_steps counts planned steps: at zero the function is called again, which finds what comes next.
run AS (
  UPDATE engine.run r SET pending_steps = active_run.pending_steps + c.added_steps, status = coalesce(c.end_status, r.status),
    result = c.result::json, ended_at = CASE WHEN c.end_status IS NOT NULL THEN :now::timestamptz END
  FROM run_change c JOIN active_run ON active_run.id = c.run_id WHERE r.id = c.run_id
  RETURNING r.id, r.concurrency_group_id, r.status, r.status = 'active' AND r.pending_steps = 0 AND NOT c.is_called AS calls_next
),
-- The new jobs, and the next calls.
inserted_job AS (
  INSERT INTO engine.job (run_id, concurrency_group_id, step, kind, attempt, state, due_at, scheduled_at)
  SELECT run_id, o.concurrency_group_id, step, kind, attempt, CASE WHEN due_at IS NULL THEN 'ready' ELSE 'later' END, due_at, :now
  FROM new_job JOIN valid_outcome o USING (n) JOIN run ON run.id = o.run_id AND run.status = 'active'
  UNION ALL
  SELECT id, concurrency_group_id, 'step', 'call', 0, 'ready', NULL, NULL FROM run WHERE calls_next
  RETURNING concurrency_group_id, state
),
-- The new waits for events.
inserted_wait AS (
  INSERT INTO engine.wait (run_id, step, event, key, expression)
  SELECT o.run_id, step, j.event, key, expression
  FROM new_job j JOIN valid_outcome o USING (n) JOIN run ON run.id = o.run_id AND run.status = 'active'
  WHERE key IS NOT NULL
),
-- Waits that are over, with their run or by a result.
deleted_wait AS (
  DELETE FROM engine.wait w USING run
  WHERE w.run_id = run.id
    AND (run.status <> 'active'
      OR EXISTS (SELECT FROM valid_outcome o JOIN new_result s USING (n)
        WHERE o.run_id = run.id AND s.step = w.step))
),
-- The other jobs of runs that have ended.
deleted_job AS (
  DELETE FROM engine.job j USING run
  WHERE j.run_id = run.id AND run.status <> 'active'
    AND NOT EXISTS (SELECT FROM finished_job WHERE finished_job.id = j.id)
  RETURNING j.concurrency_group_id, j.state
),
-- The results of runs that have ended, but for those of a failed one.
deleted_result AS (
  DELETE FROM engine.step_result m USING run WHERE m.run_id = run.id AND run.status IN ('completed', 'canceled')
),
-- How many runs and jobs each concurrency group gains or loses.
group_change AS MATERIALIZED (
  SELECT concurrency_group_id, 0 AS runs, -(state = 'ready')::int AS waiting, -(state = 'taken')::int AS executing
  FROM finished_job
  UNION ALL SELECT concurrency_group_id, 0, -(state = 'ready')::int, -(state = 'taken')::int FROM deleted_job
  UNION ALL SELECT concurrency_group_id, 0, (state = 'ready')::int, 0 FROM inserted_job
  UNION ALL SELECT concurrency_group_id, -1, 0, 0 FROM run WHERE status <> 'active'
),
-- The groups, locked in one order.
locked_group AS MATERIALIZED (
  SELECT * FROM engine.concurrency_group WHERE id IN (SELECT concurrency_group_id FROM group_change)
  ORDER BY function_id, key FOR NO KEY UPDATE
),
-- Their counters, from the newest values.
counted AS (
  UPDATE engine.concurrency_group target
  SET runs = g.runs + c.runs, waiting = g.waiting + c.waiting, executing = g.executing + c.executing
  FROM (SELECT concurrency_group_id, sum(runs) AS runs, sum(waiting) AS waiting, sum(executing) AS executing
    FROM group_change GROUP BY concurrency_group_id) c
  JOIN locked_group g ON g.id = c.concurrency_group_id
  WHERE target.id = c.concurrency_group_id
)
SELECT
