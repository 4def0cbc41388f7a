import { execFile } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { findPostmaster } from "../../server/db/embedded/postmaster";
import { openRawClient, type RawClient } from "../raw-client";
import { soakCount } from "../soak";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let hub: RunningHub;
afterEach(() => hub.stop());

const postmaster = () => findPostmaster(path.join(hub.dataDir, "postgres", "data"));
const request = (place: string, headers = "") => `GET ${place} HTTP/1.1\r\nHost: hub\r\n${headers}\r\n`;
const isAnswered = (answers: number) => (client: RawClient) =>
  (client.received().match(/HTTP\/1\.1 \d+ /g) ?? []).length === answers;
const openMany = (count: number, ...texts: string[]) =>
  Promise.all(Array.from({ length: count }, () => openRawClient(hub.url, ...texts)));

/** Twice the grace period, so that a busy machine does not fail; a hub that hangs is killed later, with another code. */
const MAX_STOP_MS = 20_000;

const CONNECTIONS = soakCount(100, 500);
test(`no path accepts an upgrade, and ${CONNECTIONS} open connections do not delay a stop`, async () => {
  hub = await startHub();
  const paths = ["/", "/_next/hmr", "/_next/webpack-hmr", "/api/v1/health", "/api/auth/session", "/sign-in"];
  // Next installs its upgrade handler with its first request.
  await fetch(`${hub.url}/sign-in`);
  const h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
  const upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AA==\r\nSec-WebSocket-Version: 13\r\n";
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

  const halfSent = "POST /api/v1/hub/generations HTTP/1.1\r\nHost: hub\r\nContent-Length: 100\r\n";
  const key = `Authorization: Bearer ${hub.key}\r\n`;
  const neverEnding = await Promise.all([
    openMany(CONNECTIONS / 5),
    openMany(CONNECTIONS / 5, halfSent),
    openMany(CONNECTIONS / 5, `${halfSent}${key}Content-Type: application/json\r\n\r\n{`),
    openMany(CONNECTIONS / 5, request("/_next/hmr", upgrade)),
    openMany(CONNECTIONS / 5, ...Array.from({ length: 50 }, () => request("/api/v1/openapi.json"))),
  ]);
  // Clients that stop reading.
  for (const { socket } of neverEnding.at(-1)!) socket.pause();
  // The hub has read their bytes, so that only the stop is timed.
  await fetch(`${hub.url}/api/v1/health`);
  const began = performance.now();
  const postgres = await postmaster();
  expect(await hub.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(MAX_STOP_MS);
  expect(() => process.kill(postgres!.pid, 0)).toThrow();
});

const STOPS = soakCount(1, 20);
test(`${STOPS} stops reset no request whose bytes were sent before the signal`, async () => {
  for (let stop = 0; stop < STOPS; stop += 1) {
    hub = await startHub();
    const warm = await openMany(80, request("/api/v1/health"));
    await expect.poll(() => warm.every(isAnswered(1)), { timeout: 30_000 }).toBe(true);
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
  }
});

test("a second signal stops it and its Postgres at once, with requests in flight", async () => {
  hub = await startHub();
  await openRawClient(
    hub.url,
    `POST /api/v1/hub/generations HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer ${hub.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  await expect.poll(() => fetch(`${hub.url}/api/v1/ready`).then(({ status }) => status)).toBe(200);
  const postgres = await postmaster();
  // A job that never ends delays an orderly stop as well.
  process.kill(postgres!.pid, "SIGSTOP");
  const began = performance.now();
  const isEnded = () => {
    hub.child.kill("SIGTERM");
    return hub.child.exitCode !== null;
  };
  await expect.poll(isEnded, { timeout: 30_000, interval: 200 }).toBe(true);
  expect(performance.now() - began).toBeLessThan(MAX_STOP_MS);
  process.kill(postgres!.pid, "SIGCONT");
  await expect.poll(postmaster).toBeNull();
});

function hasCurl(): Promise<boolean> {
  return promisify(execFile)("curl", ["--version"]).then(
    ({ stdout }) => stdout.includes("HTTP2"),
    () => false,
  );
}
