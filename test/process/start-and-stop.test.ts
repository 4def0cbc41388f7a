import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { type HubOptions, type RunningHub, startHub } from "../../e2e/server";
import { findPostmaster } from "../../server/db/embedded/postmaster";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataDir = await makeDataDir();
const hubs: RunningHub[] = [];
async function start(options: HubOptions = {}): Promise<RunningHub> {
  const hub = await startHub({ dataDir, ...options });
  hubs.push(hub);
  return hub;
}
afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.stop();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const postmaster = (folder = dataDir) => findPostmaster(path.join(folder, "postgres", "data"));
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
async function get<T>(hub: RunningHub, place: string, key = hub.key): Promise<T> {
  const response = await fetch(hub.url + place, { headers: { authorization: `Bearer ${key}` } });
  return (await response.json()) as T;
}
interface Listing {
  data: { status: string }[];
}

// The tests of this file share one data directory and run in order.
let key = "";

test("the first start creates a demo account, and the printed curl creates a generation", async () => {
  const hub = await start();
  key = hub.key;
  expect(key).toMatch(/^service_sk_/);
  expect(hub.output()).toMatch(/ready at \S+ \(\d+\.\d s\)/);
  const curl = /curl \S+generations \\[^]*?}}'/.exec(hub.output())![0];
  const { stdout } = await promisify(execFile)("sh", ["-c", `${curl} --silent --include`]);
  expect(stdout).toMatch(/^HTTP\/1.1 202 /);
  const status = async () => (await get<Listing>(hub, "/api/v1/hub/generations")).data[0]?.status;
  await expect.poll(status, { timeout: 30_000 }).toBe("succeeded");
  expect(await get(hub, "/api/v1/me")).toMatchObject({ balance: 24.9908, available: 24.9908 });
});

test("exits with 0 on SIGTERM without leaving processes, and the next start keeps all data", async () => {
  const hub = await start();
  expect(hub.key).toBe("");
  const postgres = await postmaster();
  expect(await hub.stop()).toBe(0);
  expect(isRunning(postgres!.pid)).toBe(false);
  expect(await postmaster()).toBeNull();
  const again = await start();
  expect(await get<Listing>(again, "/api/v1/hub/generations", key)).toMatchObject({ data: [{ status: "succeeded" }] });
});

test("a stop waits for requests in flight", async () => {
  const hub = await start();
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

test("after kill -9 the next start uses the Postgres that is still running", async () => {
  const hub = await start();
  const postgres = await postmaster();
  await hub.kill9();
  expect(isRunning(postgres!.pid)).toBe(true);
  const again = await start();
  expect((await postmaster())!.pid).toBe(postgres!.pid);
  expect(await get(again, "/api/v1/me", key)).toMatchObject({ email: "demo@example.org" });
  await again.stop();
  expect(isRunning(postgres!.pid)).toBe(false);
});

test("a start ends the chats of a killed process, and frees their keys and holds", async () => {
  const hub = await start();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "killed" };
  const chat = (at: RunningHub, content: string) =>
    fetch(`${at.url}/api/v1/hub/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "sandbox-text", messages: [{ role: "user", content }] }),
    });
  const cut = chat(hub, "[slow:60] hello").catch(() => null);
  const funds = (at: RunningHub) => get<{ balance: number; available: number }>(at, "/api/v1/me", key);
  await expect.poll(async () => (await funds(hub)).available).toBeLessThan((await funds(hub)).balance);
  await hub.kill9();
  expect(await cut).toBeNull();
  const again = await start();
  const { balance, available } = await funds(again);
  expect(available).toBe(balance);
  // With another body, because the key is free again.
  expect((await chat(again, "hello")).status).toBe(200);
});

test("npm start passes on signals and exits with the server", async () => {
  const hub = await start({ command: ["npm", "start"] });
  const postgres = await postmaster();
  const pid = Number((await readFile(`/proc/${hub.child.pid}/task/${hub.child.pid}/children`, "utf8")).split(" ")[0]);
  expect(await hub.stop()).toBe(0);
  expect(isRunning(pid)).toBe(false);
  expect(isRunning(postgres!.pid)).toBe(false);
});

test("two hubs of one clone run at the same time", async () => {
  const [one, other] = await Promise.all([start(), startHub()]);
  hubs.push(other);
  expect(one.url).not.toBe(other.url);
  expect(await get<Listing>(other, "/api/v1/hub/generations")).toMatchObject({ data: [] });
  expect((await get<Listing>(one, "/api/v1/hub/generations", key)).data.length).toBeGreaterThan(0);
  expect(await get(other, "/api/v1/me", key)).toMatchObject({ code: "unauthorized" });
});
