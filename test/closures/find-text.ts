import type { Db } from "../../server/db/client";

/** The columns that keep what tax law demands, and what operators have written into an append-only log. */
export const keptColumns = [
  "ledger_entry.note",
  "ledger_entry.reference",
  "payment.note",
  "payment.provider_ref",
  "payment_refund.reason",
];

/** Returns the columns, of all tables of the hub and its engine, in which a row has this text in any case. */
export async function findText(db: Db, text: string): Promise<string[]> {
  const tables = await db.query<{ table: string; columns: string[]; values: string[] }>(
    `SELECT format('%I.%I', table_schema, table_name) AS "table", array_agg(column_name::text) AS columns,
            array_agg(format(CASE data_type WHEN 'bytea' THEN 'encode(%I, ''escape'')' ELSE '%I::text' END, column_name)) AS values
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema IN ('public', 'engine') AND table_type = 'BASE TABLE' GROUP BY 1 ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { table, columns, values } of tables) {
    const matches = values.map((value) => `bool_or(strpos(lower(${value}), lower($1)) > 0)`);
    const [row] = await db.query<{ matches: (boolean | null)[] }>(
      `SELECT ARRAY[${matches.join()}] AS matches FROM ${table}`,
      [text],
    );
    const name = table.replace("public.", "");
    found.push(...columns.filter((_, n) => row!.matches[n]).map((column) => `${name}.${column}`));
  }
  return found.sort();
}
