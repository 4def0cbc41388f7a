import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { request } from "undici";
import { expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { type RunningHub, startHub } from "../../e2e/server";
import { startBalancer } from "../inngest/balancer";
import { reservePort } from "../reserve-port";
import { emptyDatabase } from "../database";

vi.setConfig({ testTimeout: 1_800_000 });

/** The commit of version 0.2.0. */
const OLD_COMMIT = "59cdc8c1";
const CLIENTS = 4;
const PAUSE_MS = 20;
const STEADY_MS = 8_000;
const SKIP_MS = 1_000;

const run = promisify(execFile);
const hasHistory = await run("git", ["cat-file", "-e", OLD_COMMIT]).then(
  () => true,
  () => false,
);
if (!hasHistory) process.stdout.write("skipped, the upgrade under load: the commit of 0.2.0 is not here\n");

/** Returns a checkout of the old version, built; `HUB_TEST_OLD` can name one. */
async function openOldCheckout(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const ready = process.env.HUB_TEST_OLD;
  if (ready) return { folder: ready, remove: async () => undefined };
  const parent = await mkdtemp(path.join(os.tmpdir(), "hub-old-"));
  const folder = path.join(parent, "hub");
  await run("git", ["worktree", "add", "--detach", folder, OLD_COMMIT]);
  const remove = async () => {
    await run("git", ["worktree", "remove", "--force", folder]);
    await rm(parent, { recursive: true, force: true });
  };
  await run("npm", ["ci"], { cwd: folder, maxBuffer: 1e8 });
  await run("npm", ["run", "build"], { cwd: folder, maxBuffer: 1e8 });
  return { folder, remove };
}

test.runIf(hasHistory)("two processes are upgraded under load without a failed request", async () => {
  const old = await openOldCheckout();
  const oldMain = path.join(old.folder, "dist/main.js");
  expect(existsSync(oldMain)).toBe(true);
  const dataDir = await makeDataDir();
  const ports = [await reservePort(), await reservePort()] as const;
  const address = await reservePort();
  const url = `http://127.0.0.1:${address}`;
  const balancer = await startBalancer(address, [...ports]);
  const env = {
    DATABASE_URL: await emptyDatabase(),
    HUB_SECRET: "a secret of at least thirty-two characters",
    BASE_URL: url,
    SANDBOX: "on",
    RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
    RATE_LIMIT_READS_PER_MINUTE: "1000000",
  };
  const started: RunningHub[] = [];
  const start = async (port: number, main?: string) => {
    const hub = await startHub({
      dataDir,
      env: { ...env, PORT: String(port) },
      ...(main && { command: [process.execPath, main] as [string, string] }),
    });
    started.push(hub);
    return hub;
  };

  const first = await start(ports[0], oldMain);
  let [left, right] = [first, await start(ports[1], oldMain)];
  const account = ["--email", "ada@example.org", "--password", "a long password", "--credit", "10000"];
  const command = (values: string[]) => run("node", ["scripts/hub.mjs", ...values], { cwd: old.folder, env: { ...process.env, ...env, HUB_DATA_DIR: dataDir } }); // prettier-ignore
  await command(["account", "create", ...account]);
  const created = await command(["key", "create", "--email", "ada@example.org", "--name", "load", "--json"]);
  const { key } = JSON.parse(created.stdout) as { key: string };

  const failures: string[] = [];
  const counts = new Map<string, number>();
  const call = async (name: string, place: string, body?: object): Promise<Record<string, unknown> | null> => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    try {
      // Whether a kept connection is still open is a race that proxies settle by sending again.
      const response = await request(`${url}/api/v1${place}`, {
        reset: true,
        method: body ? "POST" : "GET",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...(body && { "idempotency-key": randomUUID() }),
        },
        body: body && JSON.stringify(body),
      });
      const text = await response.body.text();
      if (response.statusCode < 300) return JSON.parse(text) as Record<string, unknown>;
      failures.push(`${name}: ${response.statusCode} ${text.slice(0, 300)}`);
      return null;
    } catch (error) {
      failures.push(`${name}: ${String(error)}`);
      return null;
    }
  };
  /** Replaces a hub, as an operator does: the balancer stops using it first. The new hub migrates while the other one serves. */
  const upgrade = async (hub: RunningHub, port: number) => {
    balancer.setSkipped(port, true);
    await sleep(SKIP_MS);
    await hub.stop();
    const next = await start(port);
    balancer.setSkipped(port, false);
    return next;
  };

  let isOver = false;
  const accepted: string[] = [];
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const image = { model: "sandbox-image", input: { prompt: "a lighthouse" } };
      const generation = await call("accept", "/hub/generations", image);
      if (generation) accepted.push(generation.id as string);
      if (generation) await call("poll", `/hub/generations/${generation.id as string}`);
      await call("list", "/hub/generations?limit=10");
      await call("me", "/me");
      const chat = { model: "sandbox-text", messages: [{ role: "user", content: "hi" }], max_tokens: 5 };
      await call("chat", "/hub/chat/completions", chat);
      await sleep(PAUSE_MS);
    }
  });

  try {
    await sleep(STEADY_MS);
    right = await upgrade(right, ports[1]);
    await sleep(STEADY_MS);
    left = await upgrade(left, ports[0]);
    await sleep(STEADY_MS);
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  try {
    process.stdout.write(`requests while two processes were upgraded: ${JSON.stringify(Object.fromEntries(counts))}\n`);
    const errors = started.flatMap((hub) => hub.output().split("\n")).filter((line) => line.includes('"level":50'));
    expect({ failures, errors }).toEqual({ failures: [], errors: [] });
    expect(accepted.length).toBeGreaterThan(20);
    for (const id of accepted)
      await expect
        .poll(async () => (await call("poll", `/hub/generations/${id}`))?.status, { timeout: 120_000 })
        .toBe("succeeded");
    const audit = await left.cli("audit", "--json");
    expect(JSON.parse(audit.stdout)).toMatchObject({ violations: [] });
  } finally {
    await Promise.all([left.stop(), right.stop()]);
    await balancer.close();
    await rm(dataDir, { recursive: true, force: true });
    await old.remove();
  }
});
