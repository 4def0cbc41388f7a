import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { TestHub } from "../hub";

/** Returns every column of the database, the engine's included, and every file of the hub that contains the text. */
export async function findText(hub: TestHub, text: string): Promise<string[]> {
  const tables = await hub.db.query<{ table: string; columns: string[]; values: string[] }>(
    `SELECT format('%I.%I', table_schema, table_name) AS "table", array_agg(column_name::text) AS columns,
            array_agg(format(CASE data_type WHEN 'bytea' THEN 'encode(%I, ''escape'')' ELSE '%I::text' END, column_name)) AS values
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema IN ('public', 'engine') AND table_type = 'BASE TABLE' GROUP BY 1`,
  );
  const found: string[] = [];
  for (const { table, columns, values } of tables) {
    const matches = values.map((value) => `bool_or(strpos(lower(${value}), lower($1)) > 0)`);
    const [row] = await hub.db.query<{ matches: (boolean | null)[] }>(
      `SELECT ARRAY[${matches.join()}] AS matches FROM ${table}`,
      [text],
    );
    found.push(...columns.filter((_, n) => row!.matches[n]).map((column) => `${table}.${column}`));
  }
  return [...found, ...(await findInFiles(hub.folder, text))];
}

async function findInFiles(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map(async (file) => ({ file, content: await readFile(file) })));
  return contents.flatMap(({ file, content }) => (content.includes(text) ? [path.relative(folder, file)] : []));
}
