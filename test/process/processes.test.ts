import type { ChildProcess } from "node:child_process";
import { copyFile, rename, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { queryHub } from "../../e2e/query-hub";
import { type RunningHub, runToEnd, startHub } from "../../e2e/server";
import { findPostmaster, isAlive } from "../../server/db/embedded/postmaster";
import { runCommand } from "../command-line";
import { childrenOf, readProcessFile } from "../process-tree";
import { reservePort } from "../reserve-port";
import { soakCount } from "../soak";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const READS = 40;
// Empty, so that Postgres can crash while its tables are made.
const dataDir = await makeDataDir();
// Node itself, which a test takes away, so that the system starts no more processes.
const node = `${dataDir}-node`;
await copyFile(process.execPath, node);
const metricsPorts = await reserveAdjacentPorts();
const metricsPortFile = `${dataDir}-metrics-port`;
await writeFile(metricsPortFile, `${metricsPorts[0]}`);
const env = {
  HUB_PROCESSES: "2",
  METRICS_PORT_FILE: metricsPortFile,
  LOG_LEVEL: "info",
  RATE_LIMIT_READS_PER_MINUTE: `${READS}`,
  RATE_LIMIT_WRITES_PER_MINUTE: "100000",
};
let hub: RunningHub;
let key = "";
async function start(onSpawn?: (child: ChildProcess) => void): Promise<void> {
  hub = await startHub({ dataDir, env, command: [node, "dist/main.js"], onSpawn });
  key ||= hub.key;
  await waitForBoth();
}
const scrape = () => Promise.all(metricsPorts.map((port) => fetch(`http://127.0.0.1:${port}/metrics`)));
/** Waits until both processes serve. */
const waitForBoth = () => vi.waitFor(scrape, { timeout: 60_000 });
const countStarts = () => hub.output().match(/the process serves/g)?.length ?? 0;
/** Waits until this many processes serve or have served. */
const waitForStarts = (count: number) =>
  vi.waitFor(() => expect(countStarts()).toBeGreaterThanOrEqual(count), { timeout: 60_000 });
afterAll(async () => {
  await hub.stop();
  for (const place of [dataDir, node, metricsPortFile]) await rm(place, { recursive: true, force: true });
});

/** Reserves two ports, of which the second is the next one. */
async function reserveAdjacentPorts(): Promise<[number, number]> {
  const [first, second] = [await reservePort(), await reservePort()];
  return second === first + 1 ? [first, second] : reserveAdjacentPorts();
}

// The tests of this file share one data directory and run in order.

/** Returns the processes that the hub's first one has started; Postgres is not among them, because it is detached. */
const children = () => processesOf(hub.child.pid!);
// Told apart by a variable that Node's cluster sets, because a copy of the first process that is about to become
// Postgres still has the hub's command line.
const processesOf = (parent: number) =>
  childrenOf(parent).filter((pid) => readProcessFile(pid, "environ").includes("NODE_UNIQUE_ID="));

/** Sends a request on a connection of its own, so that the processes take turns. */
const request = (method: string, place: string, body?: unknown): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const call = http.request(hub.url + place, { method, headers, agent: false }, (response) => {
      text(response).then((sent) => resolve({ status: response.statusCode!, body: sent }), reject);
    });
    call.once("error", reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
const audit = async () => (await runCommand(["audit"], { HUB_DATA_DIR: dataDir })).stdout;
const create = () =>
  request("POST", "/api/v1/hub/generations", { model: "sandbox-speech", input: { input: "a lighthouse" } });

/** Kills the hub's Postgres once a query returns this many rows. A hub that already serves must survive that as well. */
async function crashPostgres(rowsSql: string, count: number): Promise<void> {
  const isDue = async () => (await queryHub(dataDir, rowsSql).catch(() => [])).length >= count;
  await expect.poll(isDue, { timeout: 60_000, interval: 10 }).toBe(true);
  process.kill((await findPostmaster(path.join(dataDir, "postgres", "data")))!.pid, "SIGKILL");
}

test("a start goes on after crashes of Postgres, and of a process before it serves", async () => {
  let crashes: Promise<void> | undefined;
  const crash = async (parent: number) => {
    await crashPostgres("SELECT FROM _prisma_migrations", 10);
    const findProcess = () => vi.waitUntil(() => processesOf(parent)[0], { timeout: 60_000, interval: 10 });
    process.kill(await findProcess(), "SIGKILL");
    await crashPostgres("SELECT FROM pg_stat_activity WHERE application_name = 'generation-hub'", 1);
  };
  await start((child) => {
    crashes = crash(child.pid!);
  });
  await crashes;
  expect(key).toMatch(/^service_sk_/);
  // On a slow machine a crash may hit a hub that already serves, which survives it as well.
  for (const pattern of [/embedded Postgres (runs again|was opened again)/, /a process has ended; starting it again/])
    await expect.poll(() => hub.output()).toMatch(pattern);
  await waitForBoth();
});

test("two processes serve one port, count limits together, and one that is killed is replaced once it can be", async () => {
  expect((await scrape()).map(({ status }) => status)).toEqual([200, 200]);
  const before = children();
  const startedAt = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: READS * 2 }, async () => (await request("GET", "/api/v1/me")).status),
  );
  const refilled = Math.ceil(((performance.now() - startedAt) * READS) / 60_000);
  const allowed = statuses.filter((status) => status === 200).length;
  expect(allowed).toBeGreaterThanOrEqual(READS);
  expect(allowed).toBeLessThanOrEqual(READS + refilled);

  for (let kill = 0; kill < soakCount(1, 5); kill += 1) {
    const [victim] = children();
    const starts = countStarts();
    await rename(node, `${node}.away`);
    process.kill(victim!, "SIGKILL");
    const replies = await Promise.allSettled(Array.from({ length: 20 }, create));
    const accepted = replies.filter((reply) => reply.status === "fulfilled" && reply.value.status === 202);
    // Only requests in flight at the killed process are lost, and the other one goes on.
    expect(accepted.length).toBeGreaterThan(0);
    await expect.poll(() => hub.output().match(/ENOENT/g)?.length ?? 0, { timeout: 60_000 }).toBeGreaterThan(kill);
    await rename(`${node}.away`, node);
    await waitForStarts(starts + 1);
  }
  expect(children()).not.toEqual(before);
  expect(await audit()).toContain("Everything adds up.");
});

const accepted: string[] = [];

test("SIGTERM ends all of them, answers what was sent, and leaves no Postgres", async () => {
  const pids = [hub.child.pid!, ...children()];
  const replies = Array.from({ length: 40 }, create);
  // All of them have been sent by the time of the first answer.
  await Promise.race(replies);
  const stopped = hub.stop();
  const answers = await Promise.all(replies);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 202));
  accepted.push(...answers.map(({ body }) => (JSON.parse(body) as { id: string }).id));
  expect(await stopped).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await findPostmaster(path.join(dataDir, "postgres", "data"))).toBeNull();
});

test("the next start ends what was accepted during the stop", async () => {
  await start();
  const unfinishedSql = "SELECT FROM generation WHERE status <> 'succeeded' AND id = ANY ($1::uuid[])";
  await expect.poll(() => queryHub(dataDir, unfinishedSql, [accepted]), { timeout: 60_000 }).toEqual([]);
});

test("none outlives the first process when that is killed, and all data is there", async () => {
  const books = await audit();
  expect(books).toMatch(/1 accounts, \d+ generations.*Everything adds up\./s);
  const pids = children();
  await hub.kill9();
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 30_000 });
  expect(await audit()).toBe(books);
});

test("reports a port that is in use before anything is started", async () => {
  const server = createServer().listen(0);
  const { port } = server.address() as { port: number };
  const settings = { HUB_DATA_DIR: dataDir, HUB_PROCESSES: "2", PORT: String(port) };
  const { code, stdout, stderr } = await runToEnd(["dist/main.js"], settings);
  server.close();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trim()).toBe(`Port ${port} is taken: stop what listens there, or set PORT to another one.`);
});
