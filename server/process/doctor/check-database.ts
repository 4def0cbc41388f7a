import type pg from "pg";
import { MAX_CLOCK_SKEW_SECONDS } from "../../domain/health";
import { findApplied, hasMigrations } from "../../db/migrate";
import type { Env } from "../../env";
import { readOwnMigrations } from "../database";
import { fail, type Finding, ok, warn } from "./finding";

const TESTED_VERSION = 18;
/** Connections that a process opens besides its pool: for short reads, the engine and notifications. */
const OTHER_CONNECTIONS = 8;

/** Checks Postgres: its version, clock, connections and schema. */
export async function checkDatabase(client: pg.Client, env: Env): Promise<Finding[]> {
  return [
    await checkServer(client),
    await checkClock(client),
    await checkConnections(client, env),
    await checkSchema(client),
  ];
}

async function checkServer(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
  const version = rows[0]!.server_version;
  return Number.parseInt(version) >= TESTED_VERSION
    ? ok("database", `Postgres ${version} responds`)
    : warn(
        "database",
        `Postgres ${version} responds`,
        `The hub is tested with Postgres ${TESTED_VERSION}: upgrade it.`,
      );
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  const skew = Math.round(rows[0]!.now.getTime() - (before + Date.now()) / 2);
  const message = `The database's clock differs from this machine's by ${(Math.abs(skew) / 1000).toFixed(1)} s`;
  return Math.abs(skew) <= MAX_CLOCK_SKEW_SECONDS * 1000
    ? ok("clock", message)
    : fail("clock", message, "Synchronize the clocks of both machines, for example by chrony.");
}

async function checkConnections(client: pg.Client, { DATABASE_POOL_SIZE, HUB_PROCESSES }: Env): Promise<Finding> {
  const { rows } = await client.query<{ available: number }>(
    `SELECT current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int AS available`,
  );
  const { available } = rows[0]!;
  const needed = HUB_PROCESSES * (DATABASE_POOL_SIZE + OTHER_CONNECTIONS);
  const message = `This hub uses up to ${needed} of ${available} connections`;
  return needed <= available
    ? ok("connections", message)
    : fail("connections", message, "Raise max_connections of Postgres, or lower DATABASE_POOL_SIZE or HUB_PROCESSES.");
}

/** Compares the schema with the one of this version. */
async function checkSchema(client: pg.Client): Promise<Finding> {
  const own = await readOwnMigrations();
  if (!(await hasMigrations(client)))
    return warn("schema", "The database is empty", "Nothing to do if this hub is new: its start applies the schema.");
  const applied = new Set((await findApplied(client)).map(({ name }) => name));
  const known = new Set(own.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !known.has(name));
  const missing = own.filter(({ name }) => !applied.has(name));
  if (unknown.length > 0)
    return fail(
      "schema",
      `The database has ${unknown.length} newer migrations`,
      "Run the version of the hub that applied them.",
    );
  if (missing.length > 0)
    return warn("schema", `${missing.length} migrations are not applied`, "Restart the hub: its start applies them.");
  return ok("schema", `all ${own.length} migrations are applied`);
}
