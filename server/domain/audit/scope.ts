import { int8, text, timestamptz, uuid } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { type RowOf, statement } from "../../db/statement";
import { selectUnsettledSql } from "../generations/row/sql";
import { NO_KEY } from "../ledger";

/**
 * An invariant and the SQL that returns its violations, computed again from primary data: `subject` is the row, `message` the
 * values. The SQL reads the tables and sums of a scope.
 */
export interface Invariant {
  name: string;
  sql: string;
}

/** Returns SQL that converts nano-euros to EUR. */
export const eurosSql = (nano: string) => `(${nano}) / 1e9`;

// The SQL of invariants names these tables and sums, which the two scopes define differently: one with everything, one with
// what follows the newest closing. A name with `public.` is the whole table in both. `since` is the first day that is not
// closed.
const inlined = (ctes: Record<string, string>): string =>
  Object.entries(ctes)
    .map(([name, sql]) => `${name} AS NOT MATERIALIZED (${sql})`)
    .join(",\n");

const billedSql = `
  SELECT account_id, coalesce(key_id, '${NO_KEY}') AS key_id, model, is_llm, status, billed_cost AS billed
  FROM public.generation WHERE billed_cost > 0`;
const keyAmountSql = `
  SELECT key_id, created_at, CASE WHEN settled_at IS NULL THEN estimated_cost ELSE 0 END AS held,
          coalesce(billed_cost, 0) AS charged
  FROM public.generation WHERE key_id IS NOT NULL`;
const unsettledColumns = "id, account_id, key_id, status, is_llm, estimated_cost";

const everything = inlined({
  scope: "SELECT DATE '-infinity' AS since",
  closed: "SELECT 0::bigint AS entries, 0::bigint AS generations, 0::bigint AS excess",
  carried: "SELECT NULL::int AS account_id, 0::bigint AS amount, 0::bigint AS promotional WHERE false",
  ledger_amount: "SELECT account_id, amount, promotional FROM public.ledger_entry",
  billed_amount: billedSql,
  key_amount: keyAmountSql,
  unsettled: `SELECT ${unsettledColumns} FROM public.generation WHERE settled_at IS NULL`,
});

// Files that are not removed are few, because files expire.
const afterClosings = inlined({
  scope: "SELECT ($3::timestamptz AT TIME ZONE 'UTC')::date AS since",
  closed: `
    SELECT sum(entries)::bigint AS entries, sum(generations)::bigint AS generations, sum(excess)::bigint AS excess
    FROM ledger_closing`,
  carried: `
    SELECT account_id, sum(amount)::bigint AS amount, sum(promotional)::bigint AS promotional
    FROM account_closing GROUP BY account_id`,
  ledger_amount: `
    SELECT account_id, amount, promotional FROM public.ledger_entry WHERE id > $1::bigint
    UNION ALL SELECT account_id, amount, promotional FROM account_closing`,
  billed_amount: `
    SELECT * FROM (${billedSql} AND id >= $2::uuid) open_generation
    UNION ALL SELECT account_id, key_id, model, is_llm, status, billed FROM billing_closing`,
  key_amount: `
    SELECT * FROM (${keyAmountSql} AND id >= $2::uuid) open_generation
    UNION ALL SELECT key_id, NULL::timestamptz, 0, billed FROM billing_closing`,
  unsettled: selectUnsettledSql(unsettledColumns),
  generation: "SELECT * FROM public.generation WHERE id >= $2::uuid",
  attempt: "SELECT * FROM public.attempt WHERE generation_id >= $2::uuid",
  ledger_entry: "SELECT * FROM public.ledger_entry WHERE id > $1::bigint",
  file: `
    SELECT * FROM public.file WHERE removed_at IS NULL
    UNION ALL SELECT * FROM public.file WHERE removed_at IS NOT NULL AND id >= $2::uuid`,
});

const closingColumns = {
  /** Such as "2026-10". */
  month: text,
  ends_at: timestamptz,
  last_entry_id: int8,
  before_id: uuid,
};

/** The newest closing: up to it, the audit need not read rows again. */
export type Closing = RowOf<typeof closingColumns>;

/** Returns the newest closing, if any month was closed. */
export async function findClosing(db: Queryable): Promise<Closing | undefined> {
  return (await selectClosing(db))[0];
}

const selectClosing = statement({
  params: [],
  row: closingColumns,
  text: `
    SELECT to_char(month, 'YYYY-MM') AS month, (month + interval '1 month') AT TIME ZONE 'UTC' AS ends_at,
           last_entry_id, before_id
    FROM ledger_closing ORDER BY ledger_closing.month DESC LIMIT 1`,
});

/** Declares a statement for both scopes. Returns the function that runs it on what follows a closing, or on everything. */
export function declareScoped<const R extends Parameters<typeof statement>[0]["row"]>(declaration: {
  row: R;
  text: string;
}): (db: Queryable, closing: Closing | undefined) => Promise<RowOf<R>[]> {
  const { row, text: sql } = declaration;
  const readEverything = statement({ params: [], row, text: `WITH ${everything} ${sql}`, isLong: true });
  // The unused CTE `bounds` gives each parameter a type, whichever of them the statement needs.
  const bounds = "bounds AS (SELECT $1::bigint, $2::uuid, $3::timestamptz)";
  const readOpen = statement({
    params: [int8, uuid, timestamptz],
    row,
    text: `WITH ${bounds}, ${afterClosings} ${sql}`,
    isLong: true,
  });
  return (db, closing) =>
    closing ? readOpen(db, closing.last_entry_id, closing.before_id, closing.ends_at) : readEverything(db);
}
