import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { findPostmaster, isAlive } from "../../server/db/embedded/postmaster";
import { isAnswered, openRawClient, openRawClients, rawGet } from "../raw-client";
import { soakCount } from "../soak";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** One started by npm, and another one from the same clone, with its own data folder. */
let hub: RunningHub;
let other: RunningHub;
beforeAll(async () => {
  [hub, other] = await Promise.all([startHub({ command: ["npm", "start"] }), startHub()]);
});
afterAll(() => Promise.all([hub.stop(), other.stop()]));

const postmaster = ({ dataDir }: RunningHub) => findPostmaster(path.join(dataDir, "postgres", "data"));
/** Returns the beginning of a request whose body never ends. */
const neverEnding = (key: string) =>
  `POST /api/v1/hub/generations HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;

const jsonHeaders = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });
const image = JSON.stringify({ model: "sandbox-image", input: { prompt: "late" } });

/** Twice the grace period, so that a busy machine does not fail; a hub that hangs is killed later, with another code. */
const MAX_STOP_MS = 20_000;

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AA==\r\nSec-WebSocket-Version: 13\r\n";

test("no path accepts an upgrade", async () => {
  const paths = ["/", "/_next/hmr", "/_next/webpack-hmr", "/api/v1/health", "/api/auth/session", "/sign-in"];
  // Next installs its upgrade handler with its first request.
  await fetch(`${hub.url}/sign-in`);
  const h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
  const upgraded = await Promise.all(
    paths.flatMap((place) => [h2c, upgrade].map((offer) => openRawClient(hub.url, rawGet(place, offer)))),
  );
  await expect.poll(() => upgraded.every(isAnswered(1)), { timeout: 30_000 }).toBe(true);
  expect(upgraded.filter((client) => client.received().startsWith("HTTP/1.1 101"))).toEqual([]);
  for (const client of upgraded) client.socket.write(rawGet("/api/v1/health"));
  await expect.poll(() => upgraded.every(isAnswered(2)), { timeout: 30_000 }).toBe(true);

  if (await hasCurl()) {
    for (const place of ["/api/v1/health", "/sign-in"]) {
      const values = ["-sS", "--http2", "-o", "/dev/null", "-w", "%{http_code} %{http_version}", hub.url + place];
      expect((await promisify(execFile)("curl", values)).stdout).toBe("200 1.1");
    }
  } else process.stderr.write("skipped: an offer of HTTP/2 by curl, which is not here\n");
});

test("two hubs of one clone run at the same time, each with its own data", async () => {
  const call = ({ url, key }: RunningHub, init?: RequestInit) =>
    fetch(`${url}/api/v1/hub/generations`, { ...init, headers: jsonHeaders(key) });
  const count = async (at: RunningHub) => ((await (await call(at)).json()) as { data: unknown[] }).data.length;
  expect((await call(hub, { method: "POST", body: image })).status).toBe(202);
  expect([await count(hub), await count(other)]).toEqual([1, 0]);
});

const CONNECTIONS = soakCount(100, 500);
test(`npm start passes on a signal: the stop waits for requests in flight, not for ${CONNECTIONS} open connections`, async () => {
  const halfSent = "POST /api/v1/hub/generations HTTP/1.1\r\nHost: hub\r\nContent-Length: 100\r\n";
  const open = await Promise.all([
    openRawClients(hub.url, CONNECTIONS / 5),
    openRawClients(hub.url, CONNECTIONS / 5, halfSent),
    openRawClients(hub.url, CONNECTIONS / 5, neverEnding(hub.key)),
    openRawClients(hub.url, CONNECTIONS / 5, rawGet("/_next/hmr", upgrade)),
    openRawClients(hub.url, CONNECTIONS / 5, ...Array.from({ length: 50 }, () => rawGet("/api/v1/openapi.json"))),
  ]);
  // Clients that stop reading.
  for (const { socket } of open.at(-1)!) socket.pause();
  let send: (() => void) | undefined;
  const slow = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(image.slice(0, 10)));
      send = () => {
        controller.enqueue(Buffer.from(image.slice(10)));
        controller.close();
      };
    },
  });
  const init = { method: "POST", headers: jsonHeaders(hub.key), body: slow, duplex: "half" };
  const answer = fetch(`${hub.url}/api/v1/hub/generations`, init);
  // Once this is answered, the hub has received the request, and has read the bytes of the others.
  await expect.poll(() => fetch(`${hub.url}/api/v1/health`).then(({ status }) => status)).toBe(200);
  const postgres = await postmaster(hub);
  const pid = Number((await readFile(`/proc/${hub.child.pid}/task/${hub.child.pid}/children`, "utf8")).split(" ")[0]);
  const began = performance.now();
  let stopped: Promise<number | null> | undefined;
  // Kept connections are served meanwhile, unless they were idle, and balancers see that the hub is not ready.
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
  const { child, url, key } = other;
  await openRawClient(url, neverEnding(key));
  await expect.poll(() => fetch(`${url}/api/v1/ready`).then(({ status }) => status)).toBe(200);
  const postgres = await postmaster(other);
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
  await expect.poll(() => postmaster(other)).toBeNull();
});

function hasCurl(): Promise<boolean> {
  return promisify(execFile)("curl", ["--version"]).then(
    ({ stdout }) => stdout.includes("HTTP2"),
    () => false,
  );
}
