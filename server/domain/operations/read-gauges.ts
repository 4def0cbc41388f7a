import { float8, int4, int8, json, notNull, nullable, timestamptz } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { selectUnsettledSql } from "../generations/row/sql";
import type { OperationsHub } from "./hub";
import { hasContentSql } from "../files/sql";

interface QueueRow {
  model: string;
  state: string;
  count: number;
  age: number;
}

interface LeaseRow {
  model: string;
  live: number;
  expired: number;
}

interface EngineRow {
  function: string;
  ready: number;
  executing: number;
  later: number;
  /** Seconds since the oldest one became due; null if none is. */
  overdue: number | null;
}

const gaugeColumns = {
  queues: notNull(json<QueueRow[]>()),
  leases: notNull(json<LeaseRow[]>()),
  engine: notNull(json<EngineRow[]>()),
  reserved: notNull(int8),
  balance: notNull(int8),
  promotional: notNull(int8),
  owed: notNull(int8),
  violations: nullable(int4),
  audit_age: nullable(float8),
  webhooks_due: notNull(int4),
  webhook_age: notNull(float8),
  payment_events: notNull(int4),
  paused_top_ups: notNull(int4),
  file_bytes: notNull(float8),
};

export type Gauges = RowOf<typeof gaugeColumns>;

/** Returns what `/metrics` shows of the database. One statement reads what is in progress, and sums of the past. */
export async function readGauges(hub: OperationsHub): Promise<Gauges> {
  const [row] = await selectGauges(hub.db, hub.now());
  // What the embedded engine had not finished stays in the database when a server takes over.
  return hub.env.inngest ? { ...row!, engine: [] } : row!;
}

/** The most blocks of the table `file` that a scrape reads. A larger table is sampled, always from the same blocks. */
const MAX_FILE_BLOCKS = 500;
const sampledPercentSql = `(SELECT least(100, 100.0 * ${MAX_FILE_BLOCKS} / greatest(1, pg_relation_size('file') / 8192.0)))::real`;

const selectGauges = statement({
  params: [timestamptz],
  row: gaugeColumns,
  text: `
    WITH unsettled AS MATERIALIZED (
      ${selectUnsettledSql("model, status, provider, created_at, estimated_cost, lease_expires_at")}
    ),
    queue AS (
      SELECT model, status AS state, count(*)::int AS count,
             greatest(0, extract(epoch FROM $1::timestamptz - min(created_at))) AS age
      FROM unsettled GROUP BY 1, 2
    ),
    lease AS (
      SELECT model, (count(*) FILTER (WHERE lease_expires_at > $1))::int AS live,
             (count(*) FILTER (WHERE lease_expires_at <= $1))::int AS expired
      FROM unsettled WHERE status = 'running' AND provider = 'worker' GROUP BY 1
    ),
    later AS (
      SELECT concurrency_group_id AS id, count(*)::int AS jobs, min(due_at) FILTER (WHERE due_at <= $1) AS oldest
      FROM engine.job WHERE state = 'later' GROUP BY 1
    ),
    engine AS (
      -- Ids begin with the name of the application.
      SELECT regexp_replace(function_id, '^generation-hub-', '') AS function, sum(waiting)::int AS ready, sum(executing)::int AS executing,
             coalesce(sum(later.jobs), 0)::int AS later, extract(epoch FROM $1::timestamptz - min(later.oldest)) AS overdue
      FROM engine.concurrency_group LEFT JOIN later USING (id) GROUP BY 1
    ),
    due AS (
      SELECT count(*)::int AS count, coalesce(extract(epoch FROM $1::timestamptz - min(next_attempt_at)), 0)::float8 AS age
      FROM delivery WHERE state = 'pending' AND next_attempt_at <= $1
    ),
    verdict AS (SELECT violations, finished_at FROM audit_verdict ORDER BY id DESC LIMIT 1)
    SELECT (SELECT coalesce(json_agg(queue), '[]') FROM queue) AS queues,
           (SELECT coalesce(json_agg(lease), '[]') FROM lease) AS leases,
           (SELECT coalesce(json_agg(engine), '[]') FROM engine) AS engine,
           (SELECT coalesce(sum(estimated_cost), 0)::bigint FROM unsettled) AS reserved,
           (SELECT coalesce(sum(balance_change), 0)::bigint FROM money_hour) AS balance,
           (SELECT coalesce(sum(promotional_change), 0)::bigint FROM money_hour) AS promotional,
           (SELECT coalesce(sum(owed), 0)::bigint FROM account WHERE owed > 0) AS owed,
           (SELECT violations FROM verdict) AS violations,
           -- A hub that was never audited is as old as its first migration.
           extract(epoch FROM $1::timestamptz - coalesce((SELECT finished_at FROM verdict),
             (SELECT min(started_at) FROM _prisma_migrations)))::float8 AS audit_age,
           due.count AS webhooks_due, due.age AS webhook_age,
           (SELECT count(*)::int FROM payment_event WHERE next_attempt_at IS NOT NULL) AS payment_events,
           (SELECT count(*)::int FROM automatic_top_up WHERE state = 'paused') AS paused_top_ups,
           (SELECT coalesce(sum(size), 0)::float8 * 100 / ${sampledPercentSql} FROM file TABLESAMPLE SYSTEM (${sampledPercentSql}) REPEATABLE (0)
            WHERE ${hasContentSql("file")}) AS file_bytes
    FROM due`,
});
