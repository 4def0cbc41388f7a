import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { OperatorError } from "../lib/operator-error";
import { inTransaction } from "./transaction";

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** Returns the migrations below `prisma/migrations`, in order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

// Any number will do; two hubs that start together must mean the same one.
const MIGRATION_LOCK = 7_203_114;

/**
 * Applies what is missing, a transaction each, in the books that `prisma migrate deploy` keeps, so that either tool
 * can follow the other. Refuses to go on after a migration whose text has changed since it was applied.
 */
export async function applyMigrations(client: pg.ClientBase, migrations: Migration[]): Promise<string[]> {
  await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  try {
    await client.query(createMigrationsTableSql);
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
    );
    const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
    const missing = migrations.filter(({ name }) => !applied.has(name));
    const changed = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
    if (changed)
      throw new OperatorError(`The migration ${changed.name} was changed after it was applied; put its text back.`);
    for (const migration of missing) await applyMigration(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
  }
}

async function applyMigration(client: pg.ClientBase, { name, sql, checksum }: Migration) {
  const apply = async () => {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
  };
  await inTransaction((text) => client.query(text), apply).catch((error: Error) => {
    throw new Error(`migration ${name} failed: ${error.message}`, { cause: error });
  });
}

const createMigrationsTableSql = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;
