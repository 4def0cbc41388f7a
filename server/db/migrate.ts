import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import { OperatorError } from "../lib/operator-error";
import { inTransaction } from "./transaction";
import { isLocked } from "./violation";

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

/** Returns whether a hub has migrated the database before. */
export async function hasMigrations(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS exists",
  );
  return rows[0]!.exists;
}

/** Returns the migrations that a database has, in order. It must have been migrated before. */
export async function findApplied(client: pg.ClientBase): Promise<Omit<Migration, "sql">[]> {
  const { rows } = await client.query<Omit<Migration, "sql">>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows;
}

// Any number works, but two hubs that start together must use the same one.
export const MIGRATION_LOCK = 7_203_114;

/**
 * Applies missing migrations, each in its own transaction, and records them as `prisma migrate deploy` does, so that either tool
 * can follow the other. A migration that builds or drops an index alongside writes (`CREATE INDEX CONCURRENTLY`, `DROP INDEX
 * CONCURRENTLY IF EXISTS`) contains only that statement, and runs without a transaction. Throws OperatorError if the text of a
 * migration has changed since it was applied.
 */
export async function applyMigrations(client: pg.ClientBase, migrations: Migration[]): Promise<string[]> {
  await lockMigrations(client);
  try {
    await client.query(createMigrationsTableSql);
    const applied = new Map((await findApplied(client)).map(({ name, checksum }) => [name, checksum]));
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

const LOCK_POLL_MS = 100;

// Not by waiting in Postgres: a statement that waits has a snapshot, and an index that is built alongside writes waits
// for every older snapshot, so that the two would wait for each other.
async function lockMigrations(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
      MIGRATION_LOCK,
    ]);
    if (rows[0]!.locked) return;
    await setTimeout(LOCK_POLL_MS);
  }
}

const CONCURRENT_INDEX = /^(?:CREATE (?:UNIQUE )?INDEX CONCURRENTLY|DROP INDEX CONCURRENTLY IF EXISTS) (\w+)/m;

async function applyMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  const index = CONCURRENT_INDEX.exec(migration.sql)?.[1];
  if (index === undefined) return retryLocked(() => runAlone(client, migration));
  await describeFailure(migration, async () => {
    // What a failed or killed build or drop has left; nothing uses it.
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    await client.query(migration.sql);
    await recordMigration(client, migration);
  });
}

// Shorter than the second after which Postgres looks for deadlocks, so that it never ends a request that waits for the
// migration, and so that requests do not wait for long behind a migration that waits for a long transaction.
const LOCK_TIMEOUT_MS = 500;
const LOCK_PAUSE_MS = 200;
const MAX_LOCK_TRIES = 1_000;

const runAlone = (client: pg.ClientBase, migration: Migration): Promise<void> =>
  inTransaction(
    (text) => client.query(text),
    async () => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await runMigration(client, migration);
    },
  );

/** Retries a migration for about ten minutes while other transactions lock its tables. */
async function retryLocked(apply: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply();
    } catch (error) {
      if (tries === MAX_LOCK_TRIES || !isLocked((error as Error).cause)) throw error;
      await setTimeout(LOCK_PAUSE_MS);
    }
  }
}

/** Applies one migration and records it, in the transaction of its caller, whose tables nobody else writes. */
export const runMigration = (client: pg.ClientBase, migration: Migration): Promise<void> =>
  describeFailure(migration, async () => {
    await client.query(migration.sql.replace(CONCURRENT_INDEX, (text) => text.replace("CONCURRENTLY ", "")));
    await recordMigration(client, migration);
  });

async function recordMigration(client: pg.ClientBase, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, clock_timestamp(), $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
}

async function describeFailure({ name }: Migration, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

export const createMigrationsTableSql = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;
