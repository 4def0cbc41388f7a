import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { type HubOptions, type RunningHub, startHub } from "../../e2e/server";
import { findPostmaster } from "../../server/db/embedded/postmaster";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataDir = await makeDataDir();
let hub: RunningHub;
const start = async (options: HubOptions = {}) => void (hub = await startHub({ dataDir, ...options }));
afterAll(async () => {
  await hub.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const postmaster = (folder = dataDir) => findPostmaster(path.join(folder, "postgres", "data"));
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
async function get<T>(place: string, at = { url: hub.url, key }): Promise<T> {
  const response = await fetch(at.url + place, { headers: { authorization: `Bearer ${at.key}` } });
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

test("exits with 0 on SIGTERM without leaving processes, and the next start keeps all data", async () => {
  const postgres = await postmaster();
  expect(await hub.stop()).toBe(0);
  expect(isRunning(postgres!.pid)).toBe(false);
  expect(await postmaster()).toBeNull();
  await start();
  expect(hub.key).toBe("");
  expect(await get<Listing>("/api/v1/hub/generations")).toMatchObject({ data: [{ status: "succeeded" }] });
});

test("a stop waits for requests in flight", async () => {
  const body = JSON.stringify({ model: "sandbox-image", input: { prompt: "late" } });
  let send: (() => void) | undefined;
  const slow = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(body.slice(0, 10)));
      send = () => {
        controller.enqueue(Buffer.from(body.slice(10)));
        controller.close();
      };
    },
  });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = { method: "POST", headers, body: slow, duplex: "half" };
  const answer = fetch(`${hub.url}/api/v1/hub/generations`, init);
  // Once its key has been looked up, the hub has received the request.
  await expect.poll(async () => fetch(hub.url).then((response) => response.status)).toBe(200);
  const stopped = hub.stop();
  // Kept connections are served meanwhile, and balancers find that it is not ready.
  await expect.poll(() => fetch(`${hub.url}/api/v1/ready`).then(({ status }) => status), { interval: 5 }).toBe(503);
  await expect.poll(() => fetch(hub.url).then(String, () => "refused")).toBe("refused");
  send!();
  expect((await answer).status).toBe(202);
  expect(await stopped).toBe(0);
});

test("after kill -9 the next start uses the Postgres that runs on, and ends chats and frees their keys and holds", async () => {
  await start();
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
  // The generation that was created during the last stop ends first.
  await expect.poll(held, { timeout: 30_000 }).toBe(0);
  const cut = chat("[slow:60] hello").catch(() => null);
  await expect.poll(held).toBeGreaterThan(0);
  await hub.kill9();
  expect(await cut).toBeNull();
  expect(isRunning(postgres!.pid)).toBe(true);
  await start();
  expect((await postmaster())!.pid).toBe(postgres!.pid);
  expect(await held()).toBe(0);
  // With another body, because the key is free again.
  expect((await chat("hello")).status).toBe(200);
  await hub.stop();
  expect(isRunning(postgres!.pid)).toBe(false);
});

test("two hubs of one clone run at the same time; npm start passes on signals and exits with the server", async () => {
  const [, other] = await Promise.all([start({ command: ["npm", "start"] }), startHub()]);
  try {
    expect(hub.url).not.toBe(other.url);
    expect(await get<Listing>("/api/v1/hub/generations", other)).toMatchObject({ data: [] });
    expect(await get("/api/v1/me", { url: other.url, key })).toMatchObject({ code: "unauthorized" });
    expect((await get<Listing>("/api/v1/hub/generations")).data.length).toBeGreaterThan(0);
  } finally {
    await other.stop();
  }
  const postgres = await postmaster();
  const pid = Number((await readFile(`/proc/${hub.child.pid}/task/${hub.child.pid}/children`, "utf8")).split(" ")[0]);
  expect(await hub.stop()).toBe(0);
  expect(isRunning(pid)).toBe(false);
  expect(isRunning(postgres!.pid)).toBe(false);
});
