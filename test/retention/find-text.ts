import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { TestHub } from "../hub";

/** Returns every column of the database, the engine's included, and every file of the hub that contains the text. */
export async function findText(hub: TestHub, text: string): Promise<string[]> {
  const columns = await hub.db.query<{ table: string; column: string; type: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS "table", format('%I', column_name) AS "column", data_type AS type
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema IN ('public', 'engine') AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const value = type === "bytea" ? `encode(${column}, 'escape')` : `${column}::text`;
    const rows = await hub.db.query(`SELECT 1 FROM ${table} WHERE strpos(lower(${value}), lower($1)) > 0 LIMIT 1`, [
      text,
    ]);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return [...found, ...(await findInFiles(hub.folder, text))];
}

async function findInFiles(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map(async (file) => ({ file, content: await readFile(file) })));
  return contents.flatMap(({ file, content }) => (content.includes(text) ? [path.relative(folder, file)] : []));
}
