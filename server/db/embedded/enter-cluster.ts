import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../lib/operator-error";

// Any numbers work, but every process that uses a cluster must use the same ones.
const USERS_LOCK = 7_203_201;
const SERVER_LOCK = 7_203_202;

const DATABASE = "hub";
const NO_SUCH_DATABASE = "3D000";
// A previous server may have just been killed: Postgres releases its lock within milliseconds.
const MAX_LOCK_ATTEMPTS = 60;
const PAUSE_MS = 50;

export const databaseUrl = (port: number, password: string, database = DATABASE): string =>
  `postgres://hub:${password}@127.0.0.1:${port}/${database}`;

/** A connection that holds the users' lock and, for a server, the server's lock as well. */
export interface LockConnection {
  client: pg.Client;
  /** Resolves when the connection has ended. */
  ended: Promise<void>;
}

/**
 * Connects to a running cluster and holds its users' lock, shared, as long as the connection lives; a server also holds the one
 * that only one process may have. Rejects with pg's error while the cluster starts or stops.
 */
export async function enterCluster(port: number, password: string, role: "server" | "guest"): Promise<LockConnection> {
  const client = await connect(port, password);
  // Listens from the beginning: a cluster that crashes may end the connection before the caller holds it.
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  try {
    await client.query("SELECT pg_advisory_lock_shared($1)", [USERS_LOCK]);
    if (role === "server") await lockServer(client);
    return { client, ended };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Releases the lock. True when nobody else uses the cluster; then nobody can enter until this connection ends. */
export async function leaveCluster(client: pg.Client): Promise<boolean> {
  await client.query("SELECT pg_advisory_unlock_shared($1)", [USERS_LOCK]);
  return tryLock(client, USERS_LOCK);
}

async function connect(port: number, password: string): Promise<pg.Client> {
  try {
    return await openClient(databaseUrl(port, password));
  } catch (error) {
    if ((error as pg.DatabaseError).code !== NO_SUCH_DATABASE) throw error;
  }
  const client = await openClient(databaseUrl(port, password, "postgres"));
  try {
    // Serialized by a lock: of two concurrent CREATE DATABASE, Postgres rejects the second with a system catalog error.
    await client.query("SELECT pg_advisory_lock($1)", [USERS_LOCK]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
  return openClient(databaseUrl(port, password));
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  // The event "end" reports the end of the connection; without a listener an error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function lockServer(client: pg.Client): Promise<void> {
  for (let attempts = 1; !(await tryLock(client, SERVER_LOCK)); attempts += 1) {
    if (attempts === MAX_LOCK_ATTEMPTS) {
      throw new OperatorError(
        "Another hub already serves this data directory: stop it, or give this one its own HUB_DATA_DIR and PORT.",
      );
    }
    await sleep(PAUSE_MS);
  }
}

async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ is_locked: boolean }>("SELECT pg_try_advisory_lock($1) AS is_locked", [lock]);
  return rows[0]!.is_locked;
}
