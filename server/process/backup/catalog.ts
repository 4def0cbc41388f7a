import type pg from "pg";

export interface Table {
  /** Quoted where needed, with its schema. */
  name: string;
  /** Quoted where needed; without generated columns, which Postgres computes. */
  columns: string[];
}

/** Tables of the hub and its job engine. Partitions are read and written through their tables; views have no rows. */
const relationsSql = (kinds: string) => `
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('public', 'engine') AND c.relkind IN (${kinds}) AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** Returns the tables that a backup contains; the migrations are in its manifest. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name, (
      SELECT array_agg(quote_ident(a.attname) ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
    ${relationsSql("'r', 'p'")} AND c.relname <> '_prisma_migrations' AND c.relname ~ '^[a-z_][a-z0-9_]*$'
    ORDER BY 1`);
  return rows;
}

/** Returns the sequences, those of identity columns included. */
export async function listSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name ${relationsSql("'S'")} ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Returns whether a database is empty. */
export async function isEmpty(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT ${relationsSql("'r', 'p', 'v', 'm', 'S', 'f'")}) AS found`,
  );
  return !rows[0]!.found;
}

export interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

export async function listForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
    WHERE k.contype = 'f' AND k.conparentid = 0 AND n.nspname IN ('public', 'engine') ORDER BY 1, 2`);
  return rows;
}

/** Settings of a transaction, so that every server prints and parses values the same way. */
export const copySettingsSql = `
  SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex';
  SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL search_path = pg_catalog, public`;
