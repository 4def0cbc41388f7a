import { rm } from "node:fs/promises";
import { makeDataDir } from "../../e2e/data-dir";

import type { Db } from "../../server/db/client";
import { emptyDatabase, testDatabase } from "../database";
import { openRealBucket } from "../versitygw";
import { type HubGroup, prepareHubs } from "./hub-group";
import { type InngestServer, prepareInngest } from "./inngest-server";
import type { Engine } from "./scenarios";

export interface Deployment {
  db: Db;
  hubs: HubGroup;
  /** Undefined if the hubs use the embedded engine. */
  server: InngestServer | undefined;
  /** API keys of accounts with credit. */
  keys: string[];
  stop(): Promise<void>;
}

const ACCOUNTS = 3;
const SECRET = "a secret of at least thirty-two characters";

/** Starts hubs on a database and a bucket of their own, and the Inngest server that runs their jobs. */
export async function startDeployment(engine: Engine, hubCount: number): Promise<Deployment> {
  const { db, url: DATABASE_URL } = await testDatabase();
  const folder = await makeDataDir();
  const bucket = await openRealBucket();
  const hubs = await prepareHubs(hubCount, folder);
  const server = engine === "embedded" ? undefined : await prepareServer(engine, hubs.url);
  const stop = async () => {
    await hubs.stop();
    await server?.stop();
    await bucket.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server?.start();
    await hubs.start({ DATABASE_URL, HUB_SECRET: SECRET, SANDBOX: "on", ...bucket.env, ...server?.settings });
    return { db, hubs, server, keys: await createKeys(hubs), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareServer(engine: Exclude<Engine, "embedded">, hubUrl: string): Promise<InngestServer> {
  return prepareInngest({
    binary: process.env.INNGEST_TEST_BIN!,
    store:
      engine === "postgres"
        ? { kind: engine, databaseUrl: await emptyDatabase(), redis: process.env.INNGEST_TEST_REDIS! }
        : { kind: engine },
    appUrl: `${hubUrl}/api/inngest`,
  });
}

async function createKeys({ cli }: HubGroup): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const email = `account-${n}@example.org`;
    const account = ["--email", email, "--password", "a long password", "--credit", "1000"];
    await run(cli("account", "create", ...account));
    const created = await run(cli("key", "create", "--email", email, "--name", "load", "--json"));
    keys.push((JSON.parse(created) as { key: string }).key);
  }
  return keys;
}

async function run(command: ReturnType<HubGroup["cli"]>): Promise<string> {
  const { code, stdout, stderr } = await command;
  if (code !== 0) throw new Error(stderr);
  return stdout;
}
