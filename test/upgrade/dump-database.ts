import type pg from "pg";

interface Table {
  name: string;
  columns: string;
}

/** Returns the rows of all tables of the hub and of its job engine as SQL that inserts them, a line each. */
export async function dumpDatabase(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<Table>(tablesSql);
  const statements: string[] = [];
  for (const table of tables) statements.push(await dumpTable(client, table));
  const { rows: sequences } = await client.query<{ name: string; last: string }>(sequencesSql);
  const positions = sequences.map(({ name, last }) => `SELECT setval('${name}', ${last});\n`);
  return [...statements, ...positions].join("");
}

async function dumpTable(client: pg.Client, { name, columns }: Table): Promise<string> {
  const { rows } = await client.query<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${name} t ORDER BY 1`);
  return rows.map(({ row }) => `${insertSql(name, columns)}'${row.replaceAll("'", "''")}');\n`).join("");
}

const insertSql = (name: string, columns: string) =>
  `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM json_populate_record(NULL::${name}, `;

const tablesSql = `
  SELECT format('%s.%I', table_schema, table_name) AS name,
         string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) FILTER (WHERE is_generated = 'NEVER') AS columns
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema IN ('public', 'engine') AND table_name <> '_prisma_migrations' AND table_type = 'BASE TABLE'
  GROUP BY table_schema, table_name ORDER BY 1`;

const sequencesSql = `
  SELECT format('%s.%I', schemaname, sequencename) AS name, last_value AS last FROM pg_sequences
  WHERE last_value IS NOT NULL ORDER BY 1`;
