import type { Queryable } from "../../db/client";
import { bool, int4, int8, jsonText, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { END_USERS, OTHER } from "./label";
import { lockMark } from "./mark";
import { addSumsSql, addUpSql, hasDaySql, sumColumns, sumColumnsSql } from "./usage-sql";

/** The value under which erased end users and metadata values are summed up. */
const ERASED = "(erased)";

/** SQL for whether a value is one that a customer has named. */
export const isNamedValueSql = (value: string): string => `${value} NOT IN ('${ERASED}', '${OTHER}')`;

/** Merges the sums of an account's label in a month (UTC), and of its days, into one value, so that their totals stay. */
export async function mergeUsageValues(
  tx: Queryable,
  { accountId, labelId, month }: { accountId: number; labelId: number; month: Date },
): Promise<void> {
  // No batch is summed up until the commit.
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

/** A label of a settled generation before its erasure: its end user if `key` is null, else a pair of its metadata. */
export interface ErasedLabel {
  id: string;
  settled_at: Date;
  key: string | null;
  value: string;
}

/**
 * Merges an account's sums of end users and metadata values in a month (UTC) once all generations that they count have lost
 * the value. Called after the erasure.
 */
export async function mergeErasedLabels(tx: Queryable, accountId: number, erased: ErasedLabel[]): Promise<void> {
  if (erased.length === 0) return;
  // No batch is summed up until the commit, and later batches no longer have these labels.
  const [mark] = await lockMark(tx, accountId);
  if (!mark) return;
  const target = { account: accountId, mark: mark.entry_id, erased: JSON.stringify(erased) };
  const gone = (await countErased(tx, target)).filter(({ is_gone }) => is_gone);
  if (gone.length > 0) await mergeGone(tx, { account: accountId, gone: JSON.stringify(gone) });
}

// If a day has no row for a value, `(other)` counts it. A value with a row for a day has one for the month, so nothing is
// inserted.
const countErased = statement({
  params: { account: int4, mark: int8, erased: jsonText },
  row: { label_id: int4, at: timestamptz, value: text, is_gone: bool },
  text: `
    WITH lost AS MATERIALIZED (
      SELECT label.id AS label_id, date_trunc('day', summed.at, 'UTC') AS day, erased.value
      FROM json_to_recordset(:erased::json) AS erased (id uuid, settled_at timestamptz, key text, value text)
      CROSS JOIN LATERAL (
        SELECT created_at AS at FROM ledger_entry WHERE generation_id = erased.id AND kind = 'charge' AND id <= :mark
        UNION ALL
        SELECT settled_at FROM uncharged_settlement
        WHERE account_id = :account AND settled_at = erased.settled_at AND generation_id = erased.id AND is_summed
      ) summed
      CROSS JOIN LATERAL (
        SELECT ${END_USERS} AS id WHERE erased.key IS NULL
        UNION ALL
        SELECT id FROM usage_label
        WHERE account_id = :account AND name = erased.key AND NOT is_removed AND since <= summed.at
      ) label
      WHERE ${isNamedValueSql("erased.value")}
    )
    INSERT INTO usage_label_sum (account_id, label_id, grain, at, value, erased, ${sumColumnsSql})
    SELECT :account, label_id, 'month', date_trunc('month', day, 'UTC') AS month, value, count(*), ${sumColumns.map(() => "0").join(", ")}
    FROM lost WHERE ${hasDaySql("lost")} GROUP BY label_id, month, value
    ON CONFLICT (account_id, label_id, grain, at, value) DO UPDATE SET erased = usage_label_sum.erased + excluded.erased
    RETURNING label_id, at, value, erased >= generations AS is_gone`,
});

// Looks up one row for each day by the primary key; OFFSET 0 leaves the planner no other way.
const mergeGone = statement({
  params: { account: int4, gone: jsonText },
  row: {},
  text: `
    WITH gone AS (
      SELECT * FROM json_to_recordset(:gone::json) AS gone (label_id int, at timestamptz, value text)
    ),
    place AS (
      SELECT label_id, value, 'month' AS grain, at FROM gone
      UNION ALL
      SELECT label_id, value, 'day', day
      FROM gone, generate_series(at, ${endOfMonthSql("at")} - interval '1 day', interval '1 day', 'UTC') AS day
    ),
    named AS (
      DELETE FROM usage_label_sum WHERE ctid = ANY (ARRAY(
        SELECT found.id FROM place CROSS JOIN LATERAL (
          SELECT ctid AS id FROM usage_label_sum s
          WHERE s.account_id = :account AND s.label_id = place.label_id AND s.grain = place.grain AND s.at = place.at
            AND s.value = place.value OFFSET 0) found))
      RETURNING *
    )
    ${insertErasedSql}`,
});
