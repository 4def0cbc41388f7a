import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { type HubOptions, type RunningHub, runToEnd, startHub } from "../../e2e/server";
import { findPostmaster, isAlive } from "../../server/db/embedded/postmaster";
import { openRawClient, type RawClient } from "../raw-client";
import { soakCount } from "../soak";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const dataDir = await makeDataDir();
let hub: RunningHub;
/** Another hub of the clone, with a data folder of its own. */
let other: RunningHub | undefined;
const start = async (options: HubOptions = {}) => void (hub = await startHub({ dataDir, ...options }));
afterAll(async () => {
  await Promise.all([hub.stop(), other?.stop()]);
  await rm(dataDir, { recursive: true, force: true });
});

const postmaster = (folder = dataDir) => findPostmaster(path.join(folder, "postgres", "data"));
async function get<T>(place: string, at = { url: hub.url, key }): Promise<T> {
  const response = await fetch(at.url + place, { headers: { authorization: `Bearer ${at.key}` } });
  return (await response.json()) as T;
}
interface Listing {
  data: { status: string }[];
}

const request = (place: string, headers = "") => `GET ${place} HTTP/1.1\r\nHost: hub\r\n${headers}\r\n`;
/** Returns the beginning of a request whose body never ends. */
const neverEnding = (ownKey: string) =>
  `POST /api/v1/hub/generations HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer ${ownKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
const isAnswered = (answers: number) => (client: RawClient) =>
  (client.received().match(/HTTP\/1\.1 \d+ /g) ?? []).length === answers;
const openMany = (count: number, ...texts: string[]) =>
  Promise.all(Array.from({ length: count }, () => openRawClient(hub.url, ...texts)));

/** Twice the grace period, so that a busy machine does not fail; a hub that hangs is killed later, with another code. */
const MAX_STOP_MS = 20_000;

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
    const warm = await openMany(80, request("/api/v1/health"));
    await expect.poll(() => warm.every(isAnswered(1)), { timeout: 30_000 }).toBe(true);
    const postgres = await postmaster();
    // While the process is stopped, requests wait on open connections and in its accept queue.
    hub.child.kill("SIGSTOP");
    for (const { socket } of warm) socket.write(request("/api/v1/health"));
    const fresh = await openMany(80, request("/api/v1/health"));
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

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AA==\r\nSec-WebSocket-Version: 13\r\n";

test("no path accepts an upgrade", async () => {
  const paths = ["/", "/_next/hmr", "/_next/webpack-hmr", "/api/v1/health", "/api/auth/session", "/sign-in"];
  // Next installs its upgrade handler with its first request.
  await fetch(`${hub.url}/sign-in`);
  const h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
  const upgraded = await Promise.all(
    paths.flatMap((place) => [h2c, upgrade].map((offer) => openRawClient(hub.url, request(place, offer)))),
  );
  await expect.poll(() => upgraded.every(isAnswered(1)), { timeout: 30_000 }).toBe(true);
  expect(upgraded.filter((client) => client.received().startsWith("HTTP/1.1 101"))).toEqual([]);
  for (const client of upgraded) client.socket.write(request("/api/v1/health"));
  await expect.poll(() => upgraded.every(isAnswered(2)), { timeout: 30_000 }).toBe(true);

  if (await hasCurl()) {
    for (const place of ["/api/v1/health", "/sign-in"]) {
      const values = ["-sS", "--http2", "-o", "/dev/null", "-w", "%{http_code} %{http_version}", hub.url + place];
      expect((await promisify(execFile)("curl", values)).stdout).toBe("200 1.1");
    }
  } else process.stderr.write("skipped: an offer of HTTP/2 by curl, which is not here\n");
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
  // By npm, beside another hub: what follows is about both of them.
  [, other] = await Promise.all([start({ command: ["npm", "start"] }), startHub()]);
  expect((await postmaster())!.pid).toBe(postgres!.pid);
  expect(await held()).toBe(0);
  // With another body, because the key is free again.
  expect((await chat("hello")).status).toBe(200);
});

test("two hubs of one clone run at the same time, each with its own data", async () => {
  expect(hub.url).not.toBe(other!.url);
  expect(await get<Listing>("/api/v1/hub/generations", other)).toMatchObject({ data: [] });
  expect(await get("/api/v1/me", { url: other!.url, key })).toMatchObject({ code: "unauthorized" });
  expect((await get<Listing>("/api/v1/hub/generations")).data.length).toBeGreaterThan(0);
});

const CONNECTIONS = soakCount(100, 500);
test(`npm start passes on a signal: the stop waits for requests in flight, not for ${CONNECTIONS} open connections`, async () => {
  const halfSent = "POST /api/v1/hub/generations HTTP/1.1\r\nHost: hub\r\nContent-Length: 100\r\n";
  const open = await Promise.all([
    openMany(CONNECTIONS / 5),
    openMany(CONNECTIONS / 5, halfSent),
    openMany(CONNECTIONS / 5, neverEnding(key)),
    openMany(CONNECTIONS / 5, request("/_next/hmr", upgrade)),
    openMany(CONNECTIONS / 5, ...Array.from({ length: 50 }, () => request("/api/v1/openapi.json"))),
  ]);
  // Clients that stop reading.
  for (const { socket } of open.at(-1)!) socket.pause();
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
  // Once this is answered, the hub has received the request, and has read the bytes of the others.
  await expect.poll(() => fetch(`${hub.url}/api/v1/health`).then(({ status }) => status)).toBe(200);
  const postgres = await postmaster();
  const pid = Number((await readFile(`/proc/${hub.child.pid}/task/${hub.child.pid}/children`, "utf8")).split(" ")[0]);
  const began = performance.now();
  let stopped: Promise<number | null> | undefined;
  // Kept connections are served meanwhile, unless they were idle, and balancers find that it is not ready.
  const ready = async () => {
    const { status } = await fetch(`${hub.url}/api/v1/ready`);
    stopped ??= hub.stop();
    return status;
  };
  await expect.poll(ready, { interval: 5 }).toBe(503);
  await expect.poll(() => fetch(`${hub.url}/api/v1/health`).then(String, () => "refused")).toBe("refused");
  send!();
  expect((await answer).status).toBe(202);
  expect(await stopped).toBe(0);
  expect(performance.now() - began).toBeLessThan(MAX_STOP_MS);
  expect([pid, postgres!.pid].filter(isAlive)).toEqual([]);
});

test("a second signal stops a hub and its Postgres at once, with requests in flight", async () => {
  const { child, dataDir: folder, url, key: ownKey } = other!;
  await openRawClient(url, neverEnding(ownKey));
  await expect.poll(() => fetch(`${url}/api/v1/ready`).then(({ status }) => status)).toBe(200);
  const postgres = await postmaster(folder);
  // A job that never ends delays an orderly stop as well.
  process.kill(postgres!.pid, "SIGSTOP");
  const began = performance.now();
  const isEnded = () => {
    child.kill("SIGTERM");
    return child.exitCode !== null;
  };
  await expect.poll(isEnded, { timeout: 30_000, interval: 200 }).toBe(true);
  expect(performance.now() - began).toBeLessThan(MAX_STOP_MS);
  process.kill(postgres!.pid, "SIGCONT");
  await expect.poll(() => postmaster(folder)).toBeNull();
});

function hasCurl(): Promise<boolean> {
  return promisify(execFile)("curl", ["--version"]).then(
    ({ stdout }) => stdout.includes("HTTP2"),
    () => false,
  );
}
