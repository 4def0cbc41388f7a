import { settledRowsSql, sumColumns, truncateSql } from "../usage/sql";
import { eurosSql, type Invariant } from "./scope";

const sinceSql = "(SELECT since::timestamp AT TIME ZONE 'UTC' FROM scope)";

/** Usage has the charges of the ledger up to each account's mark. Entries of closed months are compared by the full audit. */
export const usageInvariant: Invariant = {
  name: "usage of an hour equals its charges: usage counts by settlement, spend of a key or budget by the window of the hold",
  sql: `SELECT format('account %s at %s', account_id, hour) AS subject,
               format('usage %s EUR, charges %s EUR', ${eurosSql("coalesce(u.billed, 0)")}, ${eurosSql("coalesce(e.billed, 0)")}) AS message
        FROM (SELECT account_id, at AS hour, sum(billed) AS billed FROM usage_sum
              WHERE grain = 'hour' AND at >= ${sinceSql} GROUP BY 1, 2) u
        FULL JOIN (SELECT e.account_id, ${truncateSql("'hour'", "e.created_at")} AS hour, -sum(e.amount) AS billed
                   FROM public.ledger_entry e JOIN usage_mark m ON m.account_id = e.account_id AND e.id <= m.entry_id
                   WHERE e.kind = 'charge' AND e.created_at >= ${sinceSql} GROUP BY 1, 2) e USING (account_id, hour)
        WHERE coalesce(u.billed, 0) <> coalesce(e.billed, 0)`,
};

/** Returns SQL for the columns of sums of a row as one value that can be compared; zeros for a missing row. */
const valuesSql = (alias: string) => `ROW(${sumColumns.map((column) => `coalesce(${alias}.${column}, 0)`).join(", ")})`;
const sumsSql = (alias: string) => sumColumns.map((column) => `sum(${alias}.${column}) AS ${column}`).join(", ");

/** Returns SQL for the violations of sums: rows that differ between `found` and `expected`, named by `subject`. */
const compareSql = (found: string, expected: string, columns: string, subject: string) => `
  SELECT ${subject} AS subject, format('has %s, should have %s', ${valuesSql("f")}, ${valuesSql("x")}) AS message
  FROM (${found}) f FULL JOIN (${expected}) x USING (${columns})
  WHERE ${valuesSql("f")} <> ${valuesSql("x")}`;

/** Returns SQL for the sums of a shorter grain, added up to a longer one. */
const addedUpSql = (table: string, shorter: string, longer: string, others: string) => `
  SELECT account_id, ${truncateSql(`'${longer}'`, "at")} AS at, ${others}, ${sumsSql("s")}
  FROM ${table} s WHERE grain = '${shorter}' GROUP BY 1, 2, ${others}`;
const grainSql = (table: string, grain: string, others: string) =>
  `SELECT account_id, at, ${others}, ${sumColumns.join(", ")} FROM ${table} s WHERE grain = '${grain}'`;

// Sums of removed labels and of closed accounts are deleted in several transactions, days and months in any order.
const lastingLabelSumSql = `(
  SELECT s.* FROM usage_label_sum s
  WHERE NOT EXISTS (SELECT FROM usage_label l WHERE l.account_id = s.account_id AND l.id = s.label_id AND l.is_removed)
    AND EXISTS (SELECT FROM account a WHERE a.id = s.account_id AND a.closed_at IS NULL))`;

/** Invariants of usage that need the rows of closed months, or read all sums. */
export const usageSumInvariants: Invariant[] = [
  {
    name: "every generation that was settled without a charge is known to usage, and no other",
    sql: `SELECT 'generation ' || coalesce(g.id, u.generation_id) AS subject,
                 format('settled at %s, known at %s', g.settled_at, u.settled_at) AS message
          FROM (SELECT id, account_id, settled_at FROM public.generation
                WHERE settled_at IS NOT NULL AND coalesce(billed_cost, 0) = 0) g
          FULL JOIN uncharged_settlement u ON u.generation_id = g.id
          WHERE g.account_id IS DISTINCT FROM u.account_id OR g.settled_at IS DISTINCT FROM u.settled_at`,
  },
  {
    name: "usage of an hour equals what was settled in it, by model and key",
    sql: `SELECT * FROM (WITH settled AS MATERIALIZED (
            SELECT e.account_id, e.generation_id, e.created_at AS at, -e.amount AS billed
            FROM public.ledger_entry e JOIN usage_mark m ON m.account_id = e.account_id AND e.id <= m.entry_id
            WHERE e.kind = 'charge'
            UNION ALL
            SELECT account_id, generation_id, settled_at, 0 FROM uncharged_settlement WHERE is_summed
          ), settled_row AS (${settledRowsSql})
          ${compareSql(
            grainSql("usage_sum", "hour", "model, key_id"),
            `SELECT account_id, ${truncateSql("'hour'", "at")} AS at, model, key_id, ${sumsSql("r")}
             FROM settled_row r GROUP BY 1, 2, 3, 4`,
            "account_id, at, model, key_id",
            "format('account %s at %s, model %s', account_id, at, model)",
          )}) violation`,
  },
  ...[
    ["hour", "day"],
    ["day", "month"],
  ].map(([shorter, longer]) => ({
    name: `usage of a ${longer} equals that of its ${shorter}s`,
    sql: compareSql(
      grainSql("usage_sum", longer!, "model, key_id"),
      addedUpSql("usage_sum", shorter!, longer!, "model, key_id"),
      "account_id, at, model, key_id",
      "format('account %s at %s, model %s', account_id, at, model)",
    ),
  })),
  {
    name: "usage of a month by label equals that of its days",
    sql: compareSql(
      grainSql(lastingLabelSumSql, "month", "label_id, value"),
      addedUpSql(lastingLabelSumSql, "day", "month", "label_id, value"),
      "account_id, at, label_id, value",
      "format('account %s at %s, label %s, %s', account_id, at, label_id, value)",
    ),
  },
  {
    name: "usage of a day by label is at most that of the day",
    sql: `SELECT format('account %s at %s, label %s', l.account_id, l.at, l.label_id) AS subject,
                 format('%s by label, %s in all', ${valuesSql("l")}, ${valuesSql("u")}) AS message
          FROM (SELECT account_id, at, label_id, ${sumsSql("s")} FROM usage_label_sum s WHERE grain = 'day' GROUP BY 1, 2, 3) l
          LEFT JOIN (SELECT account_id, at, ${sumsSql("s")} FROM usage_sum s WHERE grain = 'day' GROUP BY 1, 2) u
            USING (account_id, at)
          WHERE ${sumColumns.map((column) => `l.${column} > coalesce(u.${column}, 0)`).join(" OR ")}`,
  },
];
