import type { Queryable } from "../../server/db/client";
import type { RunStart } from "./route-event";

/**
 * Removes events from the queue and starts their runs, in one statement. An event that another engine has removed
 * meanwhile starts nothing.
 */
export async function startRuns(db: Queryable, now: Date, events: { n: string }[], starts: RunStart[]): Promise<void> {
  const cancels = starts.flatMap(({ runId, n, cancels }) => cancels.map((cancel) => ({ runId, n, ...cancel })));
  await db.query(startRunsSql, [
    now,
    events.map(({ n }) => n),
    starts.map(({ n }) => n),
    starts.map(({ runId }) => runId),
    starts.map(({ functionId }) => functionId),
    starts.map(({ concurrencyKey }) => concurrencyKey),
    starts.map(({ maxConcurrency }) => maxConcurrency),
    starts.map(({ dedupeKey }) => dedupeKey),
    cancels.map(({ runId }) => runId),
    cancels.map(({ n }) => n),
    cancels.map(({ event }) => event),
    cancels.map(({ key }) => key),
    cancels.map(({ expression }) => expression),
    cancels.map(({ until }) => until),
  ]);
}

const startRunsSql = `
  WITH event AS (
    DELETE FROM engine.event WHERE n = ANY ($2::bigint[]) RETURNING n, body
  ),
  start AS MATERIALIZED (
    SELECT s.*, event.body
    FROM unnest($3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::integer[], $8::text[])
      AS s (n, run_id, function_id, key, max_concurrency, dedupe_key)
    JOIN event USING (n)
  ),
  new_key AS (
    INSERT INTO engine.seen AS processed (key, at)
    SELECT DISTINCT dedupe_key, $1::timestamptz FROM start WHERE dedupe_key IS NOT NULL ORDER BY dedupe_key
    ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE processed.at <= excluded.at - interval '24 hours'
    RETURNING key
  ),
  accepted AS MATERIALIZED (
    SELECT DISTINCT ON (coalesce(dedupe_key, run_id::text)) * FROM start
    WHERE dedupe_key IS NULL OR dedupe_key IN (SELECT key FROM new_key)
    ORDER BY coalesce(dedupe_key, run_id::text), n
  ),
  concurrency_group AS (
    INSERT INTO engine.lane AS existing (function_id, key, most, runs, waiting)
    SELECT function_id, key, max(max_concurrency), count(*), count(*) FROM accepted GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (function_id, key) DO UPDATE
      SET most = excluded.most, runs = existing.runs + excluded.runs, waiting = existing.waiting + excluded.waiting
    RETURNING id, function_id, key
  ),
  run AS (
    INSERT INTO engine.run (id, function_id, lane_id, event, started_at)
    SELECT a.run_id, function_id, g.id, a.body, $1
    FROM accepted a JOIN concurrency_group g USING (function_id, key) ORDER BY a.run_id
    RETURNING id, lane_id
  ),
  job AS (
    INSERT INTO engine.job (run_id, lane_id, step, kind, state) SELECT id, lane_id, 'step', 'call', 'ready' FROM run
  )
  INSERT INTO engine.wait (run_id, after, event, key, expression, until)
  SELECT w.* FROM unnest($9::uuid[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::timestamptz[])
    AS w (run_id, after, event, key, expression, until)
  JOIN run ON run.id = w.run_id`;
