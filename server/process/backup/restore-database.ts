import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { createMigrationsTableSql, type Migration, MIGRATION_LOCK, runMigration } from "../../db/migrate";
import { OperatorError } from "../../lib/operator-error";
import { copySettingsSql, type ForeignKey, isEmpty, listForeignKeys, listSequences, listTables } from "./catalog";
import type { Manifest } from "./manifest";

/** The state of a restore. Between `openSchema` and `closeSchema`, triggers and foreign keys are disabled. */
export interface OpenSchema {
  tables: Map<string, string[]>;
  foreignKeys: ForeignKey[];
}

/**
 * Returns the migrations of this version that a backup has, and the rest. Throws OperatorError for a backup it cannot
 * read.
 */
export function splitMigrations(manifest: Manifest, own: Migration[]): { applied: Migration[]; missing: Migration[] } {
  const checksums = new Map(manifest.migrations.map(({ name, checksum }) => [name, checksum]));
  const known = new Map(own.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of checksums) {
    const migration = known.get(name);
    if (!migration)
      throw new OperatorError(
        `The backup is of hub ${manifest.hub}, which has the migration ${name}: restore it with that version or a later one.`,
      );
    if (migration.checksum !== checksum)
      throw new OperatorError(
        `The migration ${name} of the backup differs from the one here: restore it with hub ${manifest.hub}.`,
      );
  }
  return {
    applied: own.filter(({ name }) => checksums.has(name)),
    missing: own.filter(({ name }) => !checksums.has(name)),
  };
}

/** Throws OperatorError unless the database is empty, and keeps hubs that start meanwhile from migrating it. */
export async function claimEmptyDatabase(client: pg.Client, remedy: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  if (!(await isEmpty(client))) throw new OperatorError(remedy);
}

/** Creates the backup's schema, whose tables can then be filled in any order. */
export async function openSchema(client: pg.Client, migrations: Migration[]): Promise<OpenSchema> {
  await client.query(createMigrationsTableSql);
  for (const migration of migrations) await runMigration(client, migration);
  await client.query(copySettingsSql);
  const tables = await listTables(client);
  const foreignKeys = await listForeignKeys(client);
  for (const { table, name } of foreignKeys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of tables) {
    // Triggers would insert rows that the backup already has, and reject emptying a table that a migration has filled.
    await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await client.query(`DELETE FROM ${name}`);
  }
  return { tables: new Map(tables.map(({ name, columns }) => [name, columns])), foreignKeys };
}

/** Fills one table. Returns false for one that is not the hub's. */
export async function loadTable(
  client: pg.Client,
  { tables }: OpenSchema,
  table: Manifest["tables"][number],
  parts: AsyncIterable<Buffer>,
): Promise<boolean> {
  const columns = tables.get(table.name);
  if (!columns) return false;
  if (columns.join() !== table.columns.join())
    throw new OperatorError(`The columns of ${table.name} in the backup are not those of its migrations.`);
  const copy = client.query(copyFrom(`COPY ${table.name} (${columns.join(", ")}) FROM STDIN`));
  await pipeline(Readable.from(parts), createGunzip(), copy);
  if (copy.rowCount !== table.rows)
    throw new OperatorError(`${table.name} has ${copy.rowCount} rows in the backup, not ${table.rows}.`);
  return true;
}

/** Restores triggers, foreign keys and sequences, which verifies every reference, and applies later migrations. */
export async function closeSchema(
  client: pg.Client,
  { tables, foreignKeys }: OpenSchema,
  sequences: Manifest["sequences"],
  missing: Migration[],
): Promise<void> {
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const name of tables.keys()) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  const known = new Set(await listSequences(client));
  for (const { name, last, called } of sequences)
    if (known.has(name)) await client.query("SELECT setval($1::regclass, $2, $3)", [name, last, called]);
  await client.query("SET LOCAL search_path TO DEFAULT");
  for (const migration of missing) {
    await runMigration(client, migration);
    // The next migration may change a table that has pending deferred triggers.
    await client.query("SET CONSTRAINTS ALL IMMEDIATE");
    await client.query("SET CONSTRAINTS ALL DEFERRED");
  }
  // The rows have transaction numbers of another cluster: where the counter of this one is lower, streams would send them again.
  await client.query("DELETE FROM generation_change");
}
