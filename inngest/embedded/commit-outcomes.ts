import type { Queryable } from "../../server/db/client";
import { countConcurrencySql } from "./concurrency-groups";
import type { Outcome } from "./outcome";

/**
 * Records what jobs came to: results, the jobs that follow, the ends of runs. All of it in one commit, and each
 * outcome only if its run is active and its job still its own: of two that record one job, one counts.
 */
export async function commitOutcomes(on: Queryable, worker: string, now: Date, outcomes: Outcome[]): Promise<void> {
  const jobs = outcomes.flatMap(({ jobs = [] }, index) => jobs.map((job) => ({ n: index + 1, ...job })));
  await on.query(statement, [
    worker,
    now,
    outcomes.map(({ run }) => run),
    outcomes.map(({ job }) => job),
    outcomes.map(({ from }) => from),
    outcomes.map(({ memo }) => memo?.step),
    outcomes.map(({ memo }) => memo?.value),
    outcomes.map(({ memo }) => memo?.failed),
    outcomes.map(({ end }) => end?.status),
    outcomes.map(({ end }) => end?.result),
    outcomes.map(({ end }) => end?.event),
    jobs.map(({ n }) => n),
    jobs.map(({ step }) => step),
    jobs.map(({ kind }) => kind),
    jobs.map(({ attempt }) => attempt),
    jobs.map(({ due }) => due),
    jobs.map(({ wait }) => wait?.event),
    jobs.map(({ wait }) => wait?.key),
    jobs.map(({ wait }) => wait?.expression),
  ]);
}

const statement = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::text[],
                         $10::text[], $11::text[])
      WITH ORDINALITY AS g (run_id, job_id, source, memo, value, failed, ending, result, event, n)
  ),
  planned AS MATERIALIZED (
    SELECT * FROM unnest($12::bigint[], $13::text[], $14::text[], $15::integer[], $16::timestamptz[], $17::text[],
                         $18::text[], $19::text[])
      AS p (n, step, kind, attempt, due_at, event, key, expression)
  ),
  live AS MATERIALIZED (
    SELECT id, lane_id, pending FROM engine.run
    WHERE id IN (SELECT run_id FROM given) AND status = 'active' ORDER BY id FOR NO KEY UPDATE
  ),
  done AS (
    DELETE FROM engine.job j USING given g, live
    WHERE j.id = g.job_id AND live.id = g.run_id AND j.run_id = g.run_id AND j.state = g.source
      AND (g.source = 'later' OR j.taken_by = $1)
    RETURNING g.n, j.id, j.lane_id, j.step, j.state
  ),
  valid AS MATERIALIZED (
    SELECT g.*, live.lane_id, done.step AS done_step FROM given g JOIN live ON live.id = g.run_id LEFT JOIN done USING (n)
    WHERE g.job_id IS NULL OR done.id IS NOT NULL
  ),
  memoised AS (
    INSERT INTO engine.memo (run_id, step, failed, value)
    SELECT run_id, memo, failed, value::json FROM valid WHERE memo IS NOT NULL ORDER BY n
    ON CONFLICT DO NOTHING
  ),
  change AS MATERIALIZED (
    SELECT run_id, sum(added) - count(*) FILTER (WHERE done_step <> 'step') AS pending, bool_or(again) AS again,
           min(ending) AS ending, min(result) FILTER (WHERE ending IS NOT NULL) AS result, min(event) AS event
    FROM valid CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE step <> 'step') AS added, count(*) FILTER (WHERE step = 'step') > 0 AS again
      FROM planned WHERE planned.n = valid.n) p
    GROUP BY run_id
  ),
  run AS (
    UPDATE engine.run r SET pending = live.pending + c.pending, status = coalesce(c.ending, r.status),
      result = c.result::json, ended_at = CASE WHEN c.ending IS NOT NULL THEN $2::timestamptz END
    FROM change c JOIN live ON live.id = c.run_id WHERE r.id = c.run_id
    RETURNING r.id, r.lane_id, r.status, r.status = 'active' AND r.pending = 0 AND NOT c.again AS calls_next, c.event
  ),
  told AS (
    INSERT INTO engine.event (name, body)
    SELECT 'inngest/function.failed', event::json FROM run WHERE event IS NOT NULL
  ),
  put AS (
    INSERT INTO engine.job (run_id, lane_id, step, kind, attempt, state, due_at, planned_at)
    SELECT run_id, v.lane_id, step, kind, attempt, CASE WHEN due_at IS NULL THEN 'ready' ELSE 'later' END, due_at, $2
    FROM planned JOIN valid v USING (n) JOIN run ON run.id = v.run_id AND run.status = 'active'
    UNION ALL
    SELECT id, lane_id, 'step', 'call', 0, 'ready', NULL, NULL FROM run WHERE calls_next
    RETURNING lane_id, state
  ),
  awaited AS (
    INSERT INTO engine.wait (run_id, step, event, key, expression)
    SELECT v.run_id, step, p.event, key, expression
    FROM planned p JOIN valid v USING (n) JOIN run ON run.id = v.run_id AND run.status = 'active'
    WHERE key IS NOT NULL
  ),
  no_longer_awaited AS (
    DELETE FROM engine.wait w USING run
    WHERE w.run_id = run.id
      AND (run.status <> 'active' OR EXISTS (SELECT FROM valid v WHERE v.run_id = run.id AND v.memo = w.step))
  ),
  dropped AS (
    DELETE FROM engine.job j USING run
    WHERE j.run_id = run.id AND run.status <> 'active' AND NOT EXISTS (SELECT FROM done WHERE done.id = j.id)
    RETURNING j.lane_id, j.state
  ),
  forgotten AS (
    DELETE FROM engine.memo m USING run WHERE m.run_id = run.id AND run.status IN ('completed', 'canceled')
  ),
  moved AS MATERIALIZED (
    SELECT lane_id, 0 AS runs, -(state = 'ready')::int AS waiting, -(state = 'taken')::int AS executing FROM done
    UNION ALL SELECT lane_id, 0, -(state = 'ready')::int, -(state = 'taken')::int FROM dropped
    UNION ALL SELECT lane_id, 0, (state = 'ready')::int, 0 FROM put
    UNION ALL SELECT lane_id, -1, 0, 0 FROM run WHERE status <> 'active'
  ),
  ${countConcurrencySql}
  SELECT`;
