import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { copyDataDir } from "../../e2e/data-dir";
import { type RunningHub, startHub } from "../../e2e/server";
import { reservePort } from "../reserve-port";
import { openInngestServer } from "../inngest-server";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function makeFolder(make: () => Promise<string>): Promise<string> {
  const folder = await make();
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(env: Record<string, string>, dataDir: string): Promise<RunningHub> {
  const hub = await startHub({ env: { LOG_LEVEL: "info", ...env }, dataDir });
  cleanups.push(() => hub.stop());
  return hub;
}

/** Returns null when the hub is ready, otherwise the issue that it reports. */
async function readIssue(hub: RunningHub): Promise<string | null> {
  const response = await fetch(`${hub.url}/api/v1/ready`);
  return response.ok ? null : ((await response.json()) as { detail: string }).detail;
}
const linesAbout = (hub: RunningHub, text: string) =>
  hub
    .output()
    .split("\n")
    .filter((line) => line.includes(text));

test("a hub registers itself, is ready while the Inngest server responds, and stops without it", async () => {
  const server = await openInngestServer({ kind: "dev" });
  const hub = await start({ INNGEST_DEV: server.url }, await makeFolder(copyDataDir));
  await expect.poll(() => readIssue(hub)).toBeNull();
  expect(server.registrations.map(({ url }) => url)).toEqual([`${hub.url}/api/inngest`]);
  await expect.poll(() => server.events.map(({ name }) => name)).toContain("hub/sweep");
  await server.close();
  const away = `The Inngest server at ${server.url} does not answer.`;
  expect(await readIssue(hub)).toBe(away);
  await expect.poll(() => linesAbout(hub, away)).toHaveLength(1);
  const accepted = await fetch(`${hub.url}/api/v1/hub/generations`, {
    method: "POST",
    headers: { Authorization: `Bearer ${hub.key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ model: "sandbox-image", input: { prompt: "a tree" } }),
  });
  expect(accepted.status).toBe(202);
  const before = performance.now();
  expect(await hub.stop()).toBe(0);
  expect(performance.now() - before).toBeLessThan(10_000);
  const again = await start({ INNGEST_DEV: server.url }, hub.dataDir);
  expect(again.output()).toContain(`Generation Hub runs at ${again.url}, but is not ready: ${away}`);
  expect(again.output()).not.toContain("is ready at");
  expect(linesAbout(hub, away)).toHaveLength(1);
});

const binary = process.env.INNGEST_TEST_BIN;
const KEYS = { event: "a1b2", signing: "00112233" };

async function spawnServer(
  folder: string,
  [port, gateway, gatewayGrpc, executorGrpc]: number[],
): Promise<ChildProcess> {
  const options = { "event-key": KEYS.event, "signing-key": KEYS.signing, "sqlite-dir": folder, port };
  const ports = {
    "connect-gateway-port": gateway,
    "connect-gateway-grpc-port": gatewayGrpc,
    "connect-executor-grpc-port": executorGrpc,
  };
  const values = Object.entries({ ...options, ...ports }).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(binary!, ["start", ...values], { stdio: "ignore", cwd: folder });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  cleanups.push(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isUp, { timeout: 60_000, interval: 200 });
  return child;
}

test.runIf(binary)("registers the limits of each start with a real server, and reports its rejections", async () => {
  const folder = await makeFolder(() => mkdtemp(path.join(os.tmpdir(), "inngest-")));
  const dataDir = await makeFolder(copyDataDir);
  const ports = await Promise.all(Array.from({ length: 4 }, () => reservePort()));
  const server = await spawnServer(folder, ports);
  const url = `http://127.0.0.1:${ports[0]}`;
  const right = { INNGEST_BASE_URL: url, INNGEST_EVENT_KEY: KEYS.event, INNGEST_SIGNING_KEY: KEYS.signing };
  const readLimit = async () => {
    const response = await fetch(`${url}/v0/gql`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: "{ functions { slug config } }" }),
    });
    const { data } = (await response.json()) as { data: { functions: { slug: string; config: string }[] } };
    return data.functions.find(({ slug }) => slug === "generation-hub-run-generation")?.config;
  };
  for (const limit of ["2", "3"]) {
    const hub = await start({ ...right, RUNNING_PER_ACCOUNT: limit }, dataDir);
    await expect.poll(() => readIssue(hub)).toBeNull();
    expect(await readLimit()).toContain(`"limit":${limit}`);
    await hub.stop();
  }
  const wrongKeys: [Record<string, string>, string | null][] = [
    [{ INNGEST_SIGNING_KEY: "ff112233" }, "INNGEST_SIGNING_KEY"],
    [{ INNGEST_SIGNING_KEY: "ff112233", INNGEST_SIGNING_KEY_FALLBACK: KEYS.signing }, null],
    [{ INNGEST_EVENT_KEY: "ffff" }, "INNGEST_EVENT_KEY"],
  ];
  for (const [wrong, name] of wrongKeys) {
    const hub = await start({ ...right, ...wrong }, dataDir);
    await expect.poll(() => readIssue(hub)).toBe(name && `The Inngest server at ${url} rejects ${name}.`);
    await hub.stop();
  }
  const hub = await start(right, dataDir);
  await expect.poll(() => readIssue(hub)).toBeNull();
  server.kill("SIGKILL");
  await expect.poll(() => readIssue(hub)).toBe(`The Inngest server at ${url} does not answer.`);
  await spawnServer(folder, ports);
  await expect.poll(() => readIssue(hub)).toBeNull();
  expect(linesAbout(hub, "does not answer")).toHaveLength(1);
  expect(linesAbout(hub, "connected to the Inngest server")).toHaveLength(2);
});
