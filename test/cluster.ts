import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { findBinaries } from "../server/db/embedded/binaries";
import { createCluster, startCluster } from "../server/db/embedded/cluster";
import { findOwner } from "../server/db/embedded/owner";
import { applyMigrations, readMigrations } from "../server/db/migrate";
import { reservePort } from "./reserve-port";

export interface Cluster {
  /** Connection string without a database. */
  url: string;
  /** Stops Postgres without a checkpoint, as a power failure does except for the disk's cache, and restarts it. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a real Postgres in a temporary folder, with the migrated database `template_hub`. */
export async function startThrowawayCluster(settings: Record<string, string>): Promise<Cluster> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-postgres-"));
  const owner = findOwner();
  await chmod(folder, 0o755);
  if (owner) await chown(folder, owner.uid, owner.gid);

  const location = {
    binaries: (await findBinaries()).native,
    data: path.join(folder, "data"),
    owner,
    port: await reservePort(),
  };
  await createCluster(location, "test");
  let server = await startCluster(location, settings);
  const url = `postgres://hub:test@127.0.0.1:${location.port}`;
  const stopServer = async (signal: NodeJS.Signals) => {
    // It was started detached, and unref'd; this process must wait for it now.
    server.ref();
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  };
  await withClient(`${url}/postgres`, (client) => client.query("CREATE DATABASE template_hub"));
  await withClient(`${url}/template_hub`, async (client) => {
    await applyMigrations(client, await readMigrations("prisma/migrations"));
    // So that no test passes because the ids of a person and an account are equal.
    await client.query("ALTER SEQUENCE person_id_seq RESTART 100001");
  });

  return {
    url,
    async crash() {
      await stopServer("SIGQUIT");
      server = await startCluster(location, settings);
      await withClient(`${url}/postgres`, (client) => client.query("SELECT"));
    },
    async stop() {
      await stopServer("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectClient(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connectClient(url: string): Promise<pg.Client> {
  for (let tries = 1; ; tries += 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
