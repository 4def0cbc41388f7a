import type { Queryable } from "../../server/db/client";
import type { Start } from "./route-event";

/** Takes letters out of the inbox and starts their runs. A letter that another engine took meanwhile starts nothing. */
export async function startRuns(on: Queryable, now: Date, letters: { n: string }[], starts: Start[]): Promise<void> {
  const cancels = starts.flatMap(({ run, n, cancels }) => cancels.map((cancel) => ({ run, n, ...cancel })));
  await on.query(statement, [
    now,
    letters.map(({ n }) => n),
    starts.map(({ n }) => n),
    starts.map(({ run }) => run),
    starts.map(({ function_id }) => function_id),
    starts.map(({ lane }) => lane),
    starts.map(({ most }) => most),
    starts.map(({ once }) => once),
    cancels.map(({ run }) => run),
    cancels.map(({ n }) => n),
    cancels.map(({ event }) => event),
    cancels.map(({ key }) => key),
    cancels.map(({ expression }) => expression),
    cancels.map(({ until }) => until),
  ]);
}

const statement = `
  WITH letter AS (
    DELETE FROM engine.event WHERE n = ANY ($2::bigint[]) RETURNING n, body
  ),
  wanted AS MATERIALIZED (
    SELECT w.*, letter.body
    FROM unnest($3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::integer[], $8::text[])
      AS w (n, run_id, function_id, key, most, once)
    JOIN letter USING (n)
  ),
  fresh AS (
    INSERT INTO engine.seen AS seen (key, at)
    SELECT DISTINCT once, $1::timestamptz FROM wanted WHERE once IS NOT NULL ORDER BY once
    ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE seen.at <= excluded.at - interval '24 hours'
    RETURNING key
  ),
  starting AS MATERIALIZED (
    SELECT DISTINCT ON (coalesce(once, run_id::text)) * FROM wanted
    WHERE once IS NULL OR once IN (SELECT key FROM fresh)
    ORDER BY coalesce(once, run_id::text), n
  ),
  lane AS (
    INSERT INTO engine.lane AS lane (function_id, key, most, runs, waiting)
    SELECT function_id, key, max(most), count(*), count(*) FROM starting GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (function_id, key) DO UPDATE
      SET most = excluded.most, runs = lane.runs + excluded.runs, waiting = lane.waiting + excluded.waiting
    RETURNING id, function_id, key
  ),
  run AS (
    INSERT INTO engine.run (id, function_id, lane_id, event, started_at)
    SELECT run_id, function_id, lane.id, body, $1 FROM starting JOIN lane USING (function_id, key) ORDER BY run_id
    RETURNING id, lane_id
  ),
  job AS (
    INSERT INTO engine.job (run_id, lane_id, step, kind, state) SELECT id, lane_id, 'step', 'call', 'ready' FROM run
  )
  INSERT INTO engine.wait (run_id, after, event, key, expression, until)
  SELECT w.* FROM unnest($9::uuid[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::timestamptz[])
    AS w (run_id, after, event, key, expression, until)
  JOIN run ON run.id = w.run_id`;
