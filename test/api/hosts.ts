import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll } from "vitest";
import { createListener } from "../../server/api/listener";
import { reservePort } from "../reserve-port";
import { runningHub } from "../engine";
import { type TestHub, testHub } from "../hub";
import { serveRequests } from "../serve-requests";

/** A server of the API. Both hosts of a suite share one database and one folder of files. */
export interface Host {
  name: "own server" | "next";
  url: string;
  hub: TestHub;
}

const PUBLIC = "https://hub.test";
// Suites send more requests than the default limits allow; rate-limit.test.ts sets its own.
const HIGH_LIMITS = {
  BASE_URL: PUBLIC,
  RATE_LIMIT_READS_PER_MINUTE: "1000000",
  RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "1000000",
};

/**
 * Starts our own server, and with HUB_TEST_HOSTS=all, as in `npm run soak`, the built Next application under a plain
 * `next start` as well. Only our own server follows the hub's clock.
 */
export const openHosts = (settings: Record<string, string> = {}): Promise<Host[]> =>
  open(settings, process.env.HUB_TEST_HOSTS === "all");

/**
 * Starts the same hosts for a suite that `npm test` runs on both (HUB_TEST_HOSTS=smoke): paths, methods, headers,
 * credentials, and bodies that are streamed. Beyond these, both hosts call the same app.
 */
export const openSmokeHosts = (settings: Record<string, string> = {}): Promise<Host[]> =>
  open(settings, process.env.HUB_TEST_HOSTS !== undefined);

async function open(settings: Record<string, string>, withNext: boolean): Promise<Host[]> {
  const allSettings = { ...HIGH_LIMITS, ...settings };
  const hub = await testHub(allSettings);
  const hosts: Host[] = [{ name: "own server", url: await listenOnOwnServer(hub), hub }];
  if (withNext) hosts.push({ name: "next", url: await startNext(hub, allSettings), hub });
  return hosts;
}

/** Starts only our own server. */
export async function openOwnHost(settings: Record<string, string> = {}): Promise<Host> {
  const hub = await testHub({ ...HIGH_LIMITS, ...settings });
  return { name: "own server", url: await listenOnOwnServer(hub), hub };
}

/** Starts our own server with the job engine. */
export async function openRunningHost(settings: Record<string, string> = {}): Promise<Host> {
  const hub = await runningHub({ ...HIGH_LIMITS, ...settings });
  return { name: "own server", url: await listenOnOwnServer(hub), hub };
}

function listenOnOwnServer(hub: TestHub): Promise<string> {
  const listener = createListener(hub);
  return serveRequests((request, response) => void listener(request, response));
}

async function startNext(hub: TestHub, settings: Record<string, string>): Promise<string> {
  if (!existsSync(".next/BUILD_ID")) throw new Error("HUB_TEST_HOSTS needs a built application: npm run build");
  const port = await reservePort();
  const child = spawn(
    process.execPath,
    ["node_modules/next/dist/bin/next", "start", "-p", String(port), "-H", "127.0.0.1"],
    {
      env: {
        ...process.env,
        NODE_ENV: "production",
        LOG_LEVEL: "silent",
        SANDBOX: "on",
        EXPOSE_ATTEMPTS: hub.exposure,
        ...settings,
        DATABASE_URL: hub.databaseUrl,
        DATABASE_POOL_SIZE: "5",
        HUB_SECRET: hub.secret,
        HUB_DATA_DIR: hub.folder,
      },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  afterAll(() => stopChild(child));
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(`${url}/api/v1/ready`, child);
  return url;
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 900; tries += 1) {
    if (child.exitCode !== null) throw new Error(`next start ended with ${child.exitCode}`);
    if (await fetch(url).then((response) => response.ok, () => false)) return; // prettier-ignore
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} was not ready within 90 s`);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
