import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../lib/operator-error";

// Any numbers will do; every process that uses a cluster must mean the same ones.
const USERS = 7_203_201;
const SERVER = 7_203_202;

const DATABASE = "hub";
const NO_SUCH_DATABASE = "3D000";
// The server of a moment ago may have been killed: its lock goes when Postgres notices, in milliseconds.
const TRIES = 60;
const PAUSE_MS = 50;

export const urlOf = (port: number, password: string, database = DATABASE): string =>
  `postgres://hub:${password}@127.0.0.1:${port}/${database}`;

/**
 * Connects to a running cluster and holds its users' lock, shared, as long as the connection lives; a server also
 * holds the one that only one process may have. Rejects with what pg says while the cluster comes or goes.
 */
export async function enter(port: number, password: string, role: "server" | "guest"): Promise<pg.Client> {
  const client = await connect(port, password);
  try {
    await client.query("SELECT pg_advisory_lock_shared($1)", [USERS]);
    if (role === "server") await takeServer(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Gives the place up. True when nobody else uses the cluster; then nobody can enter until this connection ends. */
export async function giveUp(client: pg.Client): Promise<boolean> {
  await client.query("SELECT pg_advisory_unlock_shared($1)", [USERS]);
  return take(client, USERS);
}

async function connect(port: number, password: string): Promise<pg.Client> {
  try {
    return await open(urlOf(port, password));
  } catch (error) {
    if ((error as pg.DatabaseError).code !== NO_SUCH_DATABASE) throw error;
  }
  const client = await open(urlOf(port, password, "postgres"));
  try {
    // One at a time: of two at once Postgres fails the second with whatever its catalogue trips over first.
    await client.query("SELECT pg_advisory_lock($1)", [USERS]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
  return open(urlOf(port, password));
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  // The end of the connection is told by "end"; without a listener an error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function takeServer(client: pg.Client): Promise<void> {
  for (let tries = 1; !(await take(client, SERVER)); tries += 1) {
    if (tries === TRIES) {
      throw new OperatorError(
        "Another hub already serves this data directory: stop it, or give this one its own HUB_DATA_DIR and PORT.",
      );
    }
    await sleep(PAUSE_MS);
  }
}

async function take(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [lock]);
  return rows[0]!.taken;
}
