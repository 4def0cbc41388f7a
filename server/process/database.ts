import pg from "pg";
import { joinCluster } from "../db/embedded/join";
import type { Membership } from "../db/embedded/membership";
import { applyMigrations, type Migration, readMigrations } from "../db/migrate";
import { setTimeZoneSql } from "../db/pipeline";
import type { Env } from "../env";
import { createLog } from "../lib/log";
import { OperatorError } from "../lib/operator-error";
import path from "node:path";
import { root } from "../root";
import { retryAfterCrash } from "./retry-after-crash";

/**
 * Opens and migrates the database: the one that DATABASE_URL names, otherwise the embedded one of the data directory.
 * Throws OperatorError if it is not available.
 */
export async function openDatabase(env: Env, role: "server" | "guest"): Promise<Membership> {
  const membership = await joinDatabase(env, role);
  try {
    const migrate = () => migrateDatabase(membership.url);
    // The address of an external database may be misspelt, so the operator is told at once.
    await (env.DATABASE_URL ? migrate() : retryAfterCrash(membership, migrate));
    return membership;
  } catch (error) {
    await membership.leave();
    throw error;
  }
}

/** Joins the same database without migrating it. */
export const joinDatabase = async (env: Env, role: "server" | "guest"): Promise<Membership> =>
  env.DATABASE_URL ? createExternalMembership(env.DATABASE_URL) : joinCluster(env.HUB_DATA_DIR, role, createLog(env));

const never = new Promise<never>(() => undefined);
const nothing = async () => undefined;
const createExternalMembership = (url: string): Membership => ({ url, lost: never, leave: nothing, kill: nothing });

const migrateDatabase = (url: string): Promise<void> =>
  withConnection(url, async (client) => void (await applyMigrations(client, await readOwnMigrations())));

/** Returns the migrations of this version. */
export const readOwnMigrations = (): Promise<Migration[]> => readMigrations(path.join(root, "prisma", "migrations"));

/** Calls `work` with its own connection, which works in UTC. Throws OperatorError when the database cannot be reached. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(setTimeZoneSql);
  } catch (error) {
    throw unreachableError(url, error);
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function unreachableError(url: string, error: unknown): OperatorError {
  // Never the URL itself, which may contain the password.
  const { hostname, port, pathname } = new URL(url);
  const { code, message } = error as { code?: string; message: string };
  return new OperatorError(
    `Cannot reach the database ${pathname.slice(1)} at ${hostname}:${port || "5432"} (${message || code}): check DATABASE_URL.`,
    { cause: error },
  );
}
