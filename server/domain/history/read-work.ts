import { bool, float8, int4, int8, int8Number, notNull, nullable, text, timestamptz } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { toEuros } from "../../lib/money";
import { toMs } from "./buckets";
import type { HistoryHub } from "./hub";
import { divideIntoBars, type HistoryPeriod } from "./periods";

/** How many models or providers get a separate series; all others share one. */
const MAX_SERIES = 7;

const columns = {
  /** Null for the whole period. */
  at: nullable(timestamptz),
  /** Null for all others. */
  name: nullable(text),
  succeeded: notNull(int4),
  failed: notNull(int4),
  rejected: notNull(int4),
  canceled: notNull(int4),
  billed: notNull(int8),
  provider_cost: notNull(int8),
  run_p50: nullable(int4),
  run_p95: nullable(int4),
  first_p50: nullable(int4),
  first_p95: nullable(int4),
};

/**
 * Returns the attempts that ended in a period, by model or by the kind of their provider: counts, times in milliseconds and
 * amounts in EUR, of each bar and of the whole period. Times are accurate to within 10 %.
 */
export async function readWork(hub: HistoryHub, period: HistoryPeriod, by: "model" | "provider") {
  const { from, until, stepMs, times } = divideIntoBars(hub.now(), period);
  const rows = await selectWork(hub.db, from, until, stepMs / 1000, by === "model", MAX_SERIES);
  const indexOf = new Map(times.map((time, index) => [time.getTime(), index]));
  const series = new Map<string | null, { total: WorkPart; parts: (WorkPart | null)[] }>();
  // The totals come first.
  for (const row of rows) {
    if (row.at === null) series.set(row.name, { total: serialize(row), parts: times.map(() => null) });
    else series.get(row.name)!.parts[indexOf.get(row.at.getTime())!] = serialize(row);
  }
  return {
    times: times.map((time) => time.toISOString()),
    series: [...series].map(([name, values]) => ({ name, ...values })),
  };
}

type WorkPart = ReturnType<typeof serialize>;

const serialize = (row: RowOf<typeof columns>) => ({
  requests: row.succeeded + row.failed + row.rejected + row.canceled,
  succeeded: row.succeeded,
  failed: row.failed,
  /** Successes divided by successes and failures, without rejected and canceled attempts; null if there are none. */
  success_rate: row.succeeded + row.failed === 0 ? null : row.succeeded / (row.succeeded + row.failed),
  p50_ms: toMs(row.run_p50),
  p95_ms: toMs(row.run_p95),
  first_token_p50_ms: toMs(row.first_p50),
  first_token_p95_ms: toMs(row.first_p95),
  billed: toEuros(row.billed),
  margin: toEuros(row.billed - row.provider_cost),
});

const stepSql = "date_bin(make_interval(secs => $3), hour, $1::timestamptz)";
const nameSql = "CASE WHEN $4 THEN model ELSE provider END";

const quantileSql = (kind: string, share: number) =>
  `min(bucket) FILTER (WHERE kind = '${kind}' AND below >= ${share} * total)`;

const selectWork = statement({
  params: [timestamptz, timestamptz, float8, bool, int8Number],
  row: columns,
  text: `
    WITH top AS (
      SELECT ${nameSql} AS name, sum(succeeded + failed + rejected + canceled) AS requests FROM work_hour
      WHERE hour >= $1 AND hour < $2 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT $5
    ),
    work AS (
      SELECT at, top.name, sum(succeeded) AS succeeded, sum(failed) AS failed,
             sum(rejected) AS rejected, sum(canceled) AS canceled, sum(billed) AS billed, sum(provider_cost) AS provider_cost
      FROM (SELECT ${stepSql} AS at, ${nameSql} AS name, succeeded, failed, rejected, canceled, billed, provider_cost
            FROM work_hour WHERE hour >= $1 AND hour < $2) AS hours
      LEFT JOIN top USING (name) GROUP BY GROUPING SETS ((at, top.name), (top.name))
    ),
    counted AS (
      SELECT at, top.name, kind, bucket, sum(count) AS count
      FROM (SELECT ${stepSql} AS at, ${nameSql} AS name, kind, bucket, count
            FROM work_time WHERE hour >= $1 AND hour < $2) AS times
      LEFT JOIN top USING (name) GROUP BY GROUPING SETS ((at, top.name, kind, bucket), (top.name, kind, bucket))
    ),
    ranked AS (
      SELECT at, name, kind, bucket, sum(count) OVER (PARTITION BY at, name, kind ORDER BY bucket) AS below,
             sum(count) OVER (PARTITION BY at, name, kind) AS total
      FROM counted
    ),
    quantiles AS (
      SELECT at, name, ${quantileSql("run", 0.5)} AS run_p50, ${quantileSql("run", 0.95)} AS run_p95,
             ${quantileSql("first_token", 0.5)} AS first_p50, ${quantileSql("first_token", 0.95)} AS first_p95
      FROM ranked GROUP BY at, name
    )
    SELECT work.at, work.name, succeeded::int, failed::int, rejected::int, canceled::int, billed::bigint,
           provider_cost::bigint, run_p50, run_p95, first_p50, first_p95
    FROM work LEFT JOIN quantiles ON quantiles.at IS NOT DISTINCT FROM work.at
                                 AND quantiles.name IS NOT DISTINCT FROM work.name
    ORDER BY work.at NULLS FIRST, work.name IS NULL,
             (SELECT requests FROM top WHERE top.name = work.name) DESC, work.name`,
});
