import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { until } from "../../inngest/contract/bench";
import { reservePort } from "../reserve-port";
import { startThrowawayCluster, withClient } from "../cluster";
import { fixtureSettings } from "./fixture";

export type OldHub = Awaited<ReturnType<typeof startOldHub>>;

/** Starts the hub that was built in a checkout, on a database and a folder of its own. */
export async function startOldHub(checkout: string) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "hub-upgrade-"));
  const cluster = await startThrowawayCluster({});
  const databaseUrl = `${cluster.url}/old`;
  await withClient(`${cluster.url}/postgres`, (client) => client.query("CREATE DATABASE old"));
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const settings = {
    PATH,
    HOME,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    HUB_DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
  };
  const env = { ...fixtureSettings, ...settings } as unknown as NodeJS.ProcessEnv;
  const child = spawn("node", ["dist/main.js"], { cwd: checkout, env, stdio: "inherit" });
  const isReady = async () => (await fetch(`${url}/api/v1/ready`)).ok;
  await until(() => isReady().catch(() => false));

  return {
    url,
    databaseUrl,
    dataDir,
    kill: () => child.kill("SIGKILL"),
    query: (sql: string) =>
      withClient(databaseUrl, async (client) => (await client.query<Record<string, unknown>>(sql)).rows),
    /** Runs one of the operator's commands. */
    async cli<T>(...values: string[]): Promise<T> {
      const command = promisify(execFile)("node", ["scripts/hub.mjs", ...values, "--json"], { cwd: checkout, env });
      return JSON.parse((await command).stdout) as T;
    },
    /** Calls the REST API: POST with a body, else GET. */
    async call<T>(key: string, place: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
      const response = await fetch(`${url}/api/v1${place}`, {
        method: body ? "POST" : "GET",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: body && JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${place}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    async remove() {
      child.kill("SIGKILL");
      await cluster.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
