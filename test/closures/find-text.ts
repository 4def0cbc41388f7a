import type { Db } from "../../server/db/client";

/** The columns that keep what tax law demands, and what operators have written into an append-only log. */
export const keptColumns = [
  "ledger_entry.note",
  "ledger_entry.reference",
  "payment.note",
  "payment.provider_ref",
  "payment_refund.reason",
];

/** Returns the columns, of all tables of the hub and its engine, in which a row has this text. */
export async function findText(db: Db, text: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'engine') AND c.relkind = 'r' ORDER BY 1`);
  const found = new Set<string>();
  for (const { name } of tables) {
    const rows = await db.query<{ key: string }>(
      `SELECT DISTINCT item.key FROM ${name} t, jsonb_each_text(to_jsonb(t)) item
       WHERE strpos(lower(item.value), $1) > 0 OR strpos(lower(item.value), $2) > 0`,
      [text.toLowerCase(), Buffer.from(text).toString("hex")],
    );
    for (const { key } of rows) found.add(`${name.replace("public.", "")}.${key}`);
  }
  return [...found].sort();
}
