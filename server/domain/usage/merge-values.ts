import type { Queryable } from "../../db/client";
import { int4, jsonText, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { END_USERS, OTHER } from "./label";
import { lowestIdSql } from "../../lib/id";
import { lockMark } from "./mark";
import { addSumsSql, addUpSql, sumColumnsSql } from "./usage-sql";

/** What sums of end users and of values of metadata are called that were erased. */
const ERASED = "(erased)";

/** SQL for whether a value is one that a customer has named. */
export const isNamedValueSql = (value: string): string => `${value} NOT IN ('${ERASED}', '${OTHER}')`;

/** Merges the sums of an account's label in a month (UTC), and of its days, into one value, so that their totals stay. */
export async function mergeUsageValues(
  tx: Queryable,
  { accountId, labelId, month }: { accountId: number; labelId: number; month: Date },
): Promise<void> {
  // No batch is summed up meanwhile.
  await lockMark(tx, accountId);
  await mergeValues(tx, accountId, labelId, month);
}

/** SQL that inserts the rows of the CTE `named` as one value for each day and month. */
const insertErasedSql = `
  INSERT INTO usage_label_sum (account_id, label_id, grain, at, value, ${sumColumnsSql})
  SELECT account_id, label_id, grain, at, '${ERASED}', ${addUpSql("n")} FROM named n GROUP BY account_id, label_id, grain, at
  ON CONFLICT (account_id, label_id, grain, at, value) DO UPDATE SET ${addSumsSql("usage_label_sum")}`;

const endOfMonthSql = (month: string) => `(${month} AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'`;

/** Returns SQL for the number of a day (UTC) since 1970. */
const dayNumberSql = (time: string) => `floor(extract(epoch FROM ${time}) / 86400)::int`;

const mergeValues = statement({
  params: [int4, int4, timestamptz],
  row: {},
  text: `
    WITH named AS (
      DELETE FROM usage_label_sum
      WHERE account_id = $1 AND label_id = $2 AND grain IN ('day', 'month') AND at >= $3
        AND at < ${endOfMonthSql("$3::timestamptz")} AND ${isNamedValueSql("value")}
      RETURNING *
    )
    ${insertErasedSql}`,
});

/** A settled generation before its erasure. */
export interface ErasedLabels {
  settled_at: Date;
  end_user: string | null;
  /** Its pairs of metadata, each with the query that finds generations with it, which has `@` for the day. */
  pairs: { key: string; value: string; query: string }[];
}

/**
 * Merges an account's sums of end users and of values of metadata, in the months (UTC) in which these generations were settled, if no
 * generation of the month still has the value. Called after they are erased.
 */
export async function mergeErasedLabels(tx: Queryable, accountId: number, erased: ErasedLabels[]): Promise<void> {
  const named = erased.flatMap(({ settled_at, end_user, pairs }) => [
    ...(end_user === null ? [] : [{ settled_at, value: end_user }]),
    ...pairs.map((pair) => ({ settled_at, ...pair })),
  ]);
  if (named.length === 0) return;
  // No batch is summed up meanwhile.
  await lockMark(tx, accountId);
  await mergeUnused(tx, { account: accountId, erased: JSON.stringify(named) });
}

/** How long before its settlement a generation was created at most. */
const MAX_AGE = "interval '35 days'";

// The index of words has the pairs by day, so that neither a frequent value nor a rare one takes long to look for; OFFSET 0 and LIMIT 1
// leave the planner no other way.
const mergeUnused = statement({
  params: { account: int4, erased: jsonText },
  row: {},
  text: `
    WITH erased AS MATERIALIZED (
      SELECT DISTINCT CASE WHEN key IS NULL THEN ${END_USERS} ELSE l.id END AS label_id, value, query, date_trunc('month', settled_at, 'UTC') AS since
      FROM json_to_recordset(:erased::json) AS erased (settled_at timestamptz, key text, value text, query text)
      LEFT JOIN usage_label l ON l.account_id = :account AND l.name = key AND NOT l.is_removed
      WHERE (key IS NULL OR l.id IS NOT NULL) AND ${isNamedValueSql("value")}
    ),
    gone AS MATERIALIZED (
      SELECT label_id, value, since, ${endOfMonthSql("since")} AS until FROM erased e
      WHERE NOT EXISTS (
        SELECT FROM generation g
        WHERE e.query IS NULL AND g.end_user = e.value AND g.account_id = :account AND g.settled_at >= e.since AND g.settled_at < ${endOfMonthSql("e.since")}
          AND g.id >= ${lowestIdSql(`e.since - ${MAX_AGE}`)} AND g.id < ${lowestIdSql(endOfMonthSql("e.since"))})
      AND NOT EXISTS (
        SELECT FROM generate_series(${dayNumberSql(`e.since - ${MAX_AGE}`)}, ${dayNumberSql(endOfMonthSql("e.since"))}) AS day
        CROSS JOIN LATERAL (
          SELECT FROM (SELECT generation_id AS id FROM generation_words WHERE words @@ replace(e.query, '@', day::text)::tsquery OFFSET 0) w
          CROSS JOIN LATERAL (
            SELECT FROM generation g WHERE g.id = w.id AND g.settled_at >= e.since AND g.settled_at < ${endOfMonthSql("e.since")} LIMIT 1) settled
          LIMIT 1) still_named)
    ),
    -- One row for each day, so that the primary key finds it.
    place AS (
      SELECT label_id, value, 'month' AS grain, since AS at FROM gone
      UNION ALL SELECT label_id, value, 'day', day FROM gone, generate_series(since, until - interval '1 day', interval '1 day', 'UTC') AS day
    ),
    named AS (
      DELETE FROM usage_label_sum s USING place p
      WHERE s.account_id = :account AND s.label_id = p.label_id AND s.grain = p.grain AND s.at = p.at AND s.value = p.value
      RETURNING s.*
    )
    ${insertErasedSql}`,
});
