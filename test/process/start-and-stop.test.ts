import { execFile } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { type RunningHub, runToEnd, startHub } from "../../e2e/server";
import { findPostmaster, isAlive } from "../../server/db/embedded/postmaster";
import { isAnswered, openRawClients, rawGet } from "../raw-client";
import { soakCount } from "../soak";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const dataDir = await makeDataDir();
let hub: RunningHub;
const start = async () => void (hub = await startHub({ dataDir }));
afterAll(async () => {
  await hub.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const postmaster = () => findPostmaster(path.join(dataDir, "postgres", "data"));
async function get<T>(place: string): Promise<T> {
  const response = await fetch(hub.url + place, { headers: { authorization: `Bearer ${key}` } });
  return (await response.json()) as T;
}
interface Listing {
  data: { status: string }[];
}

// The tests of this file share one data directory and run in order: each begins with the hub that the one before left.
let key = "";

test("the first start creates a demo account, and the printed curl creates a generation", async () => {
  await start();
  key = hub.key;
  expect(key).toMatch(/^service_sk_/);
  expect(hub.output()).toMatch(/ready at \S+ \(\d+\.\d s\)/);
  const curl = /curl \S+generations \\[^]*?}}'/.exec(hub.output())![0];
  const { stdout } = await promisify(execFile)("sh", ["-c", `${curl} --silent --include`]);
  expect(stdout).toMatch(/^HTTP\/1.1 202 /);
  const status = async () => (await get<Listing>("/api/v1/hub/generations")).data[0]?.status;
  await expect.poll(status, { timeout: 30_000 }).toBe("succeeded");
  expect(await get("/api/v1/me")).toMatchObject({ balance: 24.9908, available: 24.9908 });
});

test("a second hub on the same data is reported, and the first one goes on", async () => {
  const { code, stdout, stderr } = await runToEnd(["dist/main.js"], { HUB_DATA_DIR: dataDir });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^Another hub already serves this data directory: .*\n$/);
  expect((await fetch(`${hub.url}/api/v1/ready`)).status).toBe(200);
});

const STOPS = soakCount(1, 20);
test(`${STOPS} stops exit with 0, reset no request whose bytes were sent before the signal, and leave no process`, async () => {
  for (let stop = 0; stop < STOPS; stop += 1) {
    if (stop > 0) await start();
    const warm = await openRawClients(hub.url, 80, rawGet("/api/v1/health"));
    await expect.poll(() => warm.every(isAnswered(1)), { timeout: 30_000 }).toBe(true);
    const postgres = await postmaster();
    // While the process is stopped, requests wait on open connections and in its accept queue.
    hub.child.kill("SIGSTOP");
    for (const { socket } of warm) socket.write(rawGet("/api/v1/health"));
    const fresh = await openRawClients(hub.url, 80, rawGet("/api/v1/health"));
    const ended = once(hub.child, "exit");
    hub.child.kill("SIGTERM");
    hub.child.kill("SIGCONT");
    const clients = [...warm, ...fresh];
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual(clients.map(() => null));
    expect([warm.filter(isAnswered(2)).length, fresh.filter(isAnswered(1)).length]).toEqual([80, 80]);
    expect(await ended).toEqual([0, null]);
    expect(isAlive(postgres!.pid)).toBe(false);
    expect(await postmaster()).toBeNull();
  }
});

test("the next start keeps all data", async () => {
  await start();
  expect(hub.key).toBe("");
  expect(await get<Listing>("/api/v1/hub/generations")).toMatchObject({ data: [{ status: "succeeded" }] });
});

test("after kill -9 the next start uses the Postgres that runs on, ends chats and frees their keys and holds", async () => {
  const postgres = await postmaster();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "killed" };
  const chat = (content: string) =>
    fetch(`${hub.url}/api/v1/hub/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "sandbox-text", messages: [{ role: "user", content }] }),
    });
  const held = async () => {
    const { balance, available } = await get<{ balance: number; available: number }>("/api/v1/me");
    return balance - available;
  };
  const cut = chat("[slow:60] hello").catch(() => null);
  await expect.poll(held).toBeGreaterThan(0);
  await hub.kill9();
  expect(await cut).toBeNull();
  expect(isAlive(postgres!.pid)).toBe(true);
  await start();
  expect((await postmaster())!.pid).toBe(postgres!.pid);
  expect(await held()).toBe(0);
  // With another body, because the key is free again.
  expect((await chat("hello")).status).toBe(200);
});
