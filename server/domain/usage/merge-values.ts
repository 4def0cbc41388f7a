import type { Queryable } from "../../db/client";
import { int4, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { OTHER } from "./label";
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

const mergeValues = statement({
  params: [int4, int4, timestamptz],
  row: {},
  text: `
    WITH named AS (
      DELETE FROM usage_label_sum
      WHERE account_id = $1 AND label_id = $2 AND grain IN ('day', 'month') AND at >= $3
        AND at < ($3::timestamptz AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC' AND ${isNamedValueSql("value")}
      RETURNING *
    )
    INSERT INTO usage_label_sum (account_id, label_id, grain, at, value, ${sumColumnsSql})
    SELECT account_id, label_id, grain, at, '${ERASED}', ${addUpSql("n")} FROM named n GROUP BY account_id, label_id, grain, at
    ON CONFLICT (account_id, label_id, grain, at, value) DO UPDATE SET ${addSumsSql("usage_label_sum")}`,
});
