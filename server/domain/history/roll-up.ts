import { int4, int8Number, notNull, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { selectUnsettledSql } from "../generations/row/sql";
import { ONLINE_MS } from "../workers";
import { BUCKET_FACTOR } from "./buckets";
import type { HistoryHub } from "./hub";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** How long after its end an hour may still change. Transactions that began in it have committed by then. */
const GRACE_MS = 10 * MINUTE_MS;
/** How far back a sweep goes after a pause or an upgrade. Earlier hours that are missing stay missing. */
const MAX_BACKFILL_MS = 24 * HOUR_MS;
const RETENTION_MS = 31 * 24 * HOUR_MS;

const floorTo = (ms: number, step: number): Date => new Date(Math.floor(ms / step) * step);

/** Recomputes the hours of ended attempts that may still change. Returns how many rows of hours it wrote. */
export async function rollUpWork(hub: HistoryHub): Promise<number> {
  const now = hub.now().getTime();
  const [row] = await selectNewest(hub.db);
  const newest = row?.hour?.getTime() ?? now - MAX_BACKFILL_MS;
  const from = Math.max(Math.min(newest, now - GRACE_MS), now - MAX_BACKFILL_MS);
  const [written] = await upsertHours(hub.db, floorTo(from, HOUR_MS), new Date(now));
  return written?.count ?? 0;
}

const selectNewest = statement({
  params: [],
  row: { hour: nullable(timestamptz) },
  text: "SELECT max(hour) AS hour FROM work_hour",
});

// A job that a route did not accept has the outcome `refused`; without a cause, the hub itself took it back.
const upsertHours = statement({
  params: [timestamptz, timestamptz],
  row: { count: notNull(int4) },
  isLong: true,
  text: `
    WITH ended AS MATERIALIZED (
      SELECT date_trunc('hour', a.ended_at, 'UTC') AS hour, a.provider, g.model, a.outcome, a.cause, a.cost, g.billed_cost,
             a.first_token_ms, extract(epoch FROM a.ended_at - a.started_at) * 1000 AS run_ms
      FROM attempt a JOIN generation g ON g.id = a.generation_id
      WHERE a.ended_at >= $1 AND a.ended_at <= $2 AND (a.outcome <> 'refused' OR a.cause IS NOT NULL)
    ),
    hours AS (
      INSERT INTO work_hour (hour, provider, model, succeeded, failed, rejected, canceled, billed, provider_cost)
      SELECT hour, provider, model, count(*) FILTER (WHERE outcome = 'succeeded'),
             count(*) FILTER (WHERE outcome IN ('failed', 'lost', 'refused') AND cause IS DISTINCT FROM 'job'),
             count(*) FILTER (WHERE outcome IN ('failed', 'lost', 'refused') AND cause = 'job'),
             count(*) FILTER (WHERE outcome = 'canceled'),
             coalesce(sum(billed_cost) FILTER (WHERE outcome IN ('succeeded', 'canceled')), 0), coalesce(sum(cost), 0)
      FROM ended GROUP BY hour, provider, model
      ON CONFLICT (hour, provider, model) DO UPDATE SET
        succeeded = excluded.succeeded, failed = excluded.failed, rejected = excluded.rejected,
        canceled = excluded.canceled, billed = excluded.billed, provider_cost = excluded.provider_cost
      RETURNING 1
    ),
    times AS (
      INSERT INTO work_time (hour, provider, model, kind, bucket, count)
      SELECT hour, provider, model, kind, ceil(ln(greatest(ms, 1)) / ln(${BUCKET_FACTOR}))::int, count(*)
      FROM ended CROSS JOIN LATERAL (VALUES ('run', run_ms), ('first_token', first_token_ms)) AS taken (kind, ms)
      WHERE outcome = 'succeeded' AND ms IS NOT NULL GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (hour, provider, model, kind, bucket) DO UPDATE SET count = excluded.count
    )
    SELECT count(*)::int AS count FROM hours`,
});

/** Stores the load of this minute, unless another process has. */
export async function sampleLoad(hub: HistoryHub): Promise<void> {
  const now = hub.now().getTime();
  const workers = [...hub.presence.values()].filter(({ seen }) => now - seen < ONLINE_MS).length;
  await insertSample(hub.db, floorTo(now, MINUTE_MS), workers);
}

const insertSample = statement({
  params: [timestamptz, int4],
  row: {},
  text: `
    WITH unsettled AS (${selectUnsettledSql("status")})
    INSERT INTO load_sample (at, queued, running, workers)
    SELECT $1, count(*) FILTER (WHERE status = 'queued'), count(*) FILTER (WHERE status = 'running'), $2 FROM unsettled
    ON CONFLICT DO NOTHING`,
});

/**
 * Deletes up to `limit` rows of each kind that are older than a month. Returns the largest number that it deleted of one kind.
 */
export async function purgeHistory(hub: HistoryHub, limit: number): Promise<number> {
  const before = new Date(hub.now().getTime() - RETENTION_MS);
  const [row] = await deleteOld(hub.db, before, limit);
  return row!.count;
}

const deleteOld = statement({
  params: [timestamptz, int8Number],
  row: { count: notNull(int4) },
  text: `
    WITH hours AS (DELETE FROM work_hour WHERE (hour, provider, model) IN (
      SELECT hour, provider, model FROM work_hour WHERE hour < $1 ORDER BY hour LIMIT $2) RETURNING 1),
    times AS (DELETE FROM work_time WHERE (hour, provider, model, kind, bucket) IN (
      SELECT hour, provider, model, kind, bucket FROM work_time WHERE hour < $1 ORDER BY hour LIMIT $2) RETURNING 1),
    samples AS (DELETE FROM load_sample WHERE at IN (
      SELECT at FROM load_sample WHERE at < $1 ORDER BY at LIMIT $2) RETURNING 1)
    SELECT greatest((SELECT count(*) FROM hours), (SELECT count(*) FROM times), (SELECT count(*) FROM samples))::int AS count`,
});
