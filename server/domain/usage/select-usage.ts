import { array, bool, int4, int8, int8Number, notNull, nullable, text, timestamptz } from "../../db/column-types";
import { type Bind, composedStatement } from "../../db/statement";
import { NO_KEY } from "../ledger";
import type { UsagePlan } from "./plan-usage";
import type { Group } from "./usage-input";
import { addUpSql, settledRowsSql, sumColumns, sumColumnsSql, truncateSql } from "./usage-sql";

/** The settlements that one read may look up. */
export const MAX_ROWS = 250_000;

interface UsageSelection {
  /** Null for all accounts. */
  accountId: number | null;
  groups: Group[];
  from: Date;
  until: Date;
  plan: UsagePlan;
  /** The groups after which the page begins, as `first` and `second` have them. */
  after: [string, string] | null;
  limit: number;
}

type Kind = Group["kind"];
const formats: Partial<Record<Kind, string>> = {
  hour: 'YYYY-MM-DD"T"HH24:00:00.000"Z"',
  day: "YYYY-MM-DD",
  month: "YYYY-MM",
};

/** Returns SQL for a group of a row `from`; `value` is SQL for the value of its label. */
function groupSql(kind: Kind | undefined, from: string, value: string): string {
  if (kind === undefined) return "NULL::text";
  if (kind in formats) return truncateSql(`'${kind}'`, `${from}.at`);
  if (kind === "key") return `nullif(${from}.key_id, '${NO_KEY}')`;
  if (kind === "model") return `${from}.model`;
  return kind === "account" ? `${from}.account_id` : value;
}

/** Returns SQL for a group as a text that sorts: empty for none, else a `=` and its value. */
function keySql(kind: Kind | undefined, column: string): string {
  const format = kind && formats[kind];
  const value = format ? `to_char(${column} AT TIME ZONE 'UTC', '${format}')` : `${column}::text`;
  return `coalesce('=' || ${value}, '') COLLATE "C"`;
}

/** Returns SQL for the accounts and the last ledger entry that their sums include. */
const scopeSql = (accountId: number | null, bind: Bind): string =>
  accountId === null
    ? "SELECT a.id AS account_id, coalesce(m.entry_id, 0) AS entry_id FROM account a LEFT JOIN usage_mark m ON m.account_id = a.id"
    : `SELECT account_id, coalesce((SELECT entry_id FROM usage_mark m WHERE m.account_id = one.account_id), 0) AS entry_id
       FROM (SELECT ${bind(int4, accountId)}::int AS account_id) one`;

/**
 * Returns SQL for settlements that are not in the sums yet, and for those in periods that sums cover only in part. The
 * former are found by the mark: Postgres does not know the period when it plans, and would read all of its entries.
 */
const settledSql = (from: string, until: string): string => `
  SELECT scope.account_id, e.generation_id, e.at, e.billed FROM scope CROSS JOIN LATERAL (
    SELECT generation_id, created_at AS at, -amount AS billed FROM ledger_entry
    WHERE account_id = scope.account_id AND id > scope.entry_id AND kind = 'charge' ORDER BY account_id, id OFFSET 0
  ) e WHERE e.at >= ${from} AND e.at < ${until}
  UNION ALL
  SELECT u.account_id, u.generation_id, u.settled_at, 0 FROM scope JOIN uncharged_settlement u USING (account_id)
  WHERE NOT u.is_summed AND u.settled_at >= ${from} AND u.settled_at < ${until}
  UNION ALL
  SELECT scope.account_id, e.generation_id, e.at, e.billed FROM scope CROSS JOIN piece CROSS JOIN LATERAL (
    SELECT generation_id, created_at AS at, -amount AS billed FROM ledger_entry
    WHERE account_id = scope.account_id AND created_at >= piece.begins AND created_at < piece.ends
      AND kind = 'charge' AND id <= scope.entry_id
    UNION ALL
    SELECT generation_id, settled_at, 0 FROM uncharged_settlement
    WHERE account_id = scope.account_id AND settled_at >= piece.begins AND settled_at < piece.ends AND is_summed
    OFFSET 0
  ) e
  LIMIT ${MAX_ROWS + 1}`;

/**
 * Returns SQL for the sums of the segments. Usage without a value of the label is the difference between the plain sums and the
 * sums of the label, so the latter are also subtracted from the row without a value; OFFSET 0 keeps the planner from reading the
 * sums of all accounts and times.
 */
function sumsSql(kinds: (Kind | undefined)[], labelId: number | null, bind: Bind): string {
  const select = (value: string) => kinds.map((kind) => groupSql(kind, "u", value)).join(", ");
  const plain = `
    SELECT ${select("NULL::text")}, ${sumColumnsSql} FROM scope CROSS JOIN segment
    JOIN usage_sum u ON u.account_id = scope.account_id AND u.grain = segment.grain
                    AND u.at >= segment.begins AND u.at < segment.ends`;
  if (labelId === null) return plain;
  const [first, second] = kinds.map((kind) => groupSql(kind, "u", "u.value"));
  return `${plain}
    UNION ALL
    SELECT part.first, part.second, ${sumColumns.map((column) => `part.sign * sums.${column}`).join(", ")}
    FROM (SELECT ${first} AS first, ${second} AS second, ${addUpSql("u")} FROM scope CROSS JOIN segment CROSS JOIN LATERAL (
      SELECT * FROM usage_label_sum WHERE account_id = scope.account_id AND label_id = ${bind(int4, labelId)}
        AND grain = segment.grain AND at >= segment.begins AND at < segment.ends OFFSET 0) u GROUP BY 1, 2) sums
    CROSS JOIN LATERAL (VALUES (first, second, 1), (${withoutValueSql(kinds)}, -1)) AS part (first, second, sign)`;
}

/** Returns SQL for the groups of usage without a value of the label. */
const withoutValueSql = (kinds: (Kind | undefined)[]) =>
  kinds.map((kind, n) => (isLabel(kind) ? "NULL" : n === 0 ? "first" : "second")).join(", ");

const isLabel = (kind: Kind | undefined) => kind === "end_user" || kind === "metadata";

function composeUsageSql(selection: UsageSelection, bind: Bind): string {
  const { groups, plan, after, accountId } = selection;
  const kinds = [groups[0]?.kind, groups[1]?.kind];
  const from = bind(timestamptz, selection.from);
  const until = bind(timestamptz, selection.until);
  const scope = scopeSql(accountId, bind);
  const bounds = (ranges: { from: Date; until: Date }[]) =>
    `${bind(array(timestamptz), ranges.map((range) => range.from))}::timestamptz[], ` +
    `${bind(array(timestamptz), ranges.map((range) => range.until))}::timestamptz[]`; // prettier-ignore
  const grains = bind(array(text), plan.sums.map(({ grain }) => grain)); // prettier-ignore
  const valueSql = ({ kind, key }: Group) =>
    kind === "metadata" ? `r.metadata ->> ${bind(text, key!)}::text` : "r.end_user";
  const rowGroups = [0, 1].map((n) => groupSql(kinds[n], "r", groups[n] ? valueSql(groups[n]) : "")).join(", ");
  const position = [after?.[0] ?? null, after?.[1] ?? null].map((key) => bind(nullable(text), key));
  return `
    WITH scope AS MATERIALIZED (${scope}),
    segment AS (SELECT * FROM unnest(${grains}::text[], ${bounds(plan.sums)}) AS s (grain, begins, ends)),
    piece AS (SELECT * FROM unnest(${bounds(plan.rows)}) AS p (begins, ends)),
    settled AS MATERIALIZED (${settledSql(from, until)}),
    settled_row AS (${settledRowsSql}),
    item (first, second, ${sumColumnsSql}) AS (
      SELECT ${rowGroups}, ${sumColumnsSql} FROM settled_row r
      UNION ALL ${sumsSql(kinds, plan.labelId, bind)}
    ),
    grouped AS MATERIALIZED (
      SELECT first, second, ${addUpSql("item")} FROM item GROUP BY first, second HAVING sum(item.generations) <> 0
    ),
    keyed AS (SELECT ${keySql(kinds[0], "first")} AS first, ${keySql(kinds[1], "second")} AS second, ${sumColumnsSql} FROM grouped)
    SELECT false AS is_total, page.*, NULL::bigint AS groups, NULL::bigint AS rows FROM (
      SELECT * FROM keyed
      WHERE ${position[0]}::text IS NULL OR (first, second) > (${position[0]} COLLATE "C", ${position[1]} COLLATE "C")
      ORDER BY first, second LIMIT ${bind(int8Number, selection.limit)}
    ) page
    UNION ALL
    SELECT true, NULL, NULL, ${sumColumns.map((column) => `coalesce(sum(${column}), 0)::bigint`).join(", ")},
           count(*), (SELECT count(*) FROM settled) FROM grouped
    ORDER BY is_total, first, second`;
}

/** One selection for each SQL text. Sums of labels are not by model, key or hour. */
const labelKinds: Kind[] = ["day", "month", "end_user", "metadata", "account"];
const forms = [1, null].flatMap((accountId) => [
  ...[...labelKinds, "hour", "model", "key"].map((kind) => formOf(accountId, kind as Kind, null)),
  ...labelKinds.map((kind) => formOf(accountId, kind, 0)),
]);

function formOf(accountId: number | null, first: Kind, labelId: number | null): UsageSelection {
  const groups = [first, "metadata" as const].map((kind) => ({ name: kind, kind, key: "team" }));
  const plan = { labelId, sums: [], rows: [] };
  return { accountId, groups, plan, from: new Date(0), until: new Date(0), after: null, limit: 1 };
}

/** Returns the groups of a page, in the order of their values, and then the totals of all groups. */
export const selectUsage = composedStatement({
  row: {
    is_total: notNull(bool),
    first: nullable(text),
    second: nullable(text),
    generations: notNull(int8),
    failed: notNull(int8),
    input_tokens: notNull(int8),
    cached_input_tokens: notNull(int8),
    output_tokens: notNull(int8),
    billed: notNull(int8),
    /** How many groups there are. */
    groups: nullable(int8),
    /** How many settlements were looked up. */
    rows: nullable(int8),
  },
  forms,
  compose: composeUsageSql,
});
