import type { Queryable } from "../../db/client";
import { array, int4, text, timestamptz } from "../../db/column-types";
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

/**
 * Merges an account's sums of end users, in the months (UTC) in which these were settled, if no generation of the month still has the end
 * user. Called after their generations are erased.
 */
export async function mergeErasedUsers(
  tx: Queryable,
  accountId: number,
  erased: { end_user: string; settled_at: Date }[],
): Promise<void> {
  // No batch is summed up meanwhile.
  await lockMark(tx, accountId);
  await mergeUsers(tx, accountId, erased.map(({ end_user }) => end_user), erased.map(({ settled_at }) => settled_at)); // prettier-ignore
}

/** How long before its settlement a generation was created at most. */
const MAX_AGE = "interval '35 days'";

const mergeUsers = statement({
  params: [int4, array(text), array(timestamptz)],
  row: {},
  text: `
    WITH erased AS MATERIALIZED (
      SELECT DISTINCT end_user, date_trunc('month', settled_at, 'UTC') AS since
      FROM unnest($2::text[], $3::timestamptz[]) AS erased (end_user, settled_at)
    ),
    gone AS MATERIALIZED (
      SELECT end_user, since, ${endOfMonthSql("since")} AS until FROM erased e
      WHERE ${isNamedValueSql("end_user")} AND NOT EXISTS (
        SELECT FROM generation g
        WHERE g.end_user = e.end_user AND g.account_id = $1 AND g.settled_at >= e.since AND g.settled_at < ${endOfMonthSql("e.since")}
          AND g.id >= ${lowestIdSql(`e.since - ${MAX_AGE}`)} AND g.id < ${lowestIdSql(endOfMonthSql("e.since"))})
    ),
    -- One row for each day, so that the primary key finds it.
    place AS (
      SELECT end_user, 'month' AS grain, since AS at FROM gone
      UNION ALL SELECT end_user, 'day', day FROM gone, generate_series(since, until - interval '1 day', interval '1 day', 'UTC') AS day
    ),
    named AS (
      DELETE FROM usage_label_sum s USING place p
      WHERE s.account_id = $1 AND s.label_id = ${END_USERS} AND s.grain = p.grain AND s.at = p.at AND s.value = p.end_user
      RETURNING s.*
    )
    ${insertErasedSql}`,
});
