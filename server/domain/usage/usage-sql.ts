import { NO_KEY } from "../ledger";

/** The columns of sums, in the order in which the API returns them. */
export const sumColumns = [
  "generations",
  "failed",
  "input_tokens",
  "cached_input_tokens",
  "output_tokens",
  "billed",
] as const;

/** Returns SQL that sums up these columns of a table or CTE. */
export const addUpSql = (alias: string): string =>
  sumColumns.map((column) => `sum(${alias}.${column})::bigint AS ${column}`).join(", ");

/** Returns SQL for `ON CONFLICT` that adds the sums of the new row to the existing row of a table. */
export const addSumsSql = (table: string): string =>
  sumColumns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(", ");

export const sumColumnsSql = sumColumns.join(", ");

/**
 * Returns SQL for a row of each settlement of the CTE `settled (account_id, generation_id, at, billed)`, with its labels and
 * the columns of sums. LIMIT 1 forces an index lookup for each, because a plain join could scan all generations.
 */
export const settledRowsSql = `
  SELECT s.account_id, s.at, g.model, coalesce(g.key_id, '${NO_KEY}') AS key_id, g.end_user, g.metadata,
         1::bigint AS generations, (g.status = 'failed')::int::bigint AS failed,
         coalesce(g.input_tokens, 0)::bigint AS input_tokens,
         coalesce((g.token_classes ->> 'cached_input')::bigint, 0) AS cached_input_tokens,
         coalesce(g.output_tokens, 0)::bigint AS output_tokens, s.billed
  FROM settled s, LATERAL (
    SELECT model, key_id, end_user, metadata, status, input_tokens, output_tokens, token_classes
    FROM generation WHERE id = s.generation_id LIMIT 1
  ) g`;

/** Returns SQL for the beginning of the hour, day or month (UTC) of a time. */
export const truncateSql = (grain: string, at: string): string => `date_trunc(${grain}, ${at}, 'UTC')`;

/**
 * Returns SQL that is true if the account `:account` has sums of the label, day and value of a row, and null if not. A
 * subquery leaves the planner only the primary key; with a join it would read all sums of the account while it takes the
 * table for small.
 */
export const hasDaySql = (row: string): string => `(
  SELECT true FROM usage_label_sum s
  WHERE s.account_id = :account AND s.label_id = ${row}.label_id AND s.grain = 'day' AND s.at = ${row}.day AND s.value = ${row}.value)`;
