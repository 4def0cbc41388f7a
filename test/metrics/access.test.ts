import { createServer } from "node:http";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { reservePort } from "../reserve-port";
import { createMetricsHandler, openMetrics } from "../../server/process/metrics";
import { createRequestListener } from "../../server/process/request-listener";
import { readEnv } from "../../server/env";
import { testHub } from "../hub";
import { listenOnLoopback } from "../loopback";

const TOKEN = "0123456789abcdef0123456789abcdef";
const hub = await testHub();
const others: string[] = [];

/** Serves the hub's port with or without a token; the API and the pages only record what reaches them. */
async function listen(token?: string): Promise<string> {
  const record = (what: string) => (request: { url?: string }) => void others.push(`${what} ${request.url}`);
  const handlers = {
    api: async (request: { url?: string }) => record("api")(request),
    pages: (request: { url?: string }) => record("page")(request),
    metrics: token === undefined ? undefined : createMetricsHandler(hub, token),
  };
  const server = createServer(createRequestListener(handlers, hub.env));
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}
const ask = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
};
/** Sends a request with this `Host`, which `fetch` would not, and returns the response. */
const sendRaw = async (port: string, host: string): Promise<string> => {
  const socket = connect(Number(port), "127.0.0.1");
  socket.end(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return readText(socket);
};
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test("without a token the hub's port responds to /metrics with 404", async () => {
  const url = await listen();
  for (const path of ["/metrics", "/metrics?x=1", "/metrics/"])
    expect((await ask(url + path, bearer(TOKEN))).status).toBe(404);
  expect(others).toEqual([]);
});

test("with a token only those who send it read the metrics, before anything else sees the request", async () => {
  const url = await listen(TOKEN);
  const rejected = [
    {},
    bearer(""),
    bearer(TOKEN.slice(1)),
    bearer(`${TOKEN}0`),
    bearer("x".repeat(100_00).slice(0, 4_000)),
  ];
  for (const init of [
    ...rejected,
    { headers: { authorization: `Basic ${TOKEN}` } },
    { headers: { authorization: TOKEN } },
  ]) {
    const { status, text, headers } = await ask(`${url}/metrics`, init);
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(text).not.toContain("hub_");
  }
  expect((await ask(`${url}/metrics?token=${TOKEN}`)).status).toBe(401);
  const read = await ask(`${url}/metrics`, bearer(TOKEN));
  expect(read.status).toBe(200);
  expect(read.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(read.headers.get("cache-control")).toBe("no-store");
  expect(read.text).toMatch(/^# HELP hub_auth_failures_total /);
  const head = await ask(`${url}/metrics`, { ...bearer(TOKEN), method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
  expect((await ask(`${url}/metrics`, { ...bearer(TOKEN), method: "POST" })).status).toBe(405);
  expect(others).toEqual([]);
});

test("a port of its own is on the loopback address, has no other path, and closes", async () => {
  const first = await openMetrics(hub, await reservePort());
  const url = `http://127.0.0.1:${first.port}`;
  expect((await ask(`${url}/metrics`)).text).toContain("hub_database_up 1");
  expect((await ask(`${url}/api/v1/me`)).status).toBe(404);
  expect((await ask(`${url}/metrics`, { method: "DELETE" })).status).toBe(405);
  const { port } = new URL(url);
  const statusOf = async (host: string) => Number((await sendRaw(port, host)).slice(9, 12));
  for (const host of [`localhost:${port}`, "[::1]:1", "hub:9090", "10.0.0.1"]) expect(await statusOf(host)).toBe(200);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", "a b"])
    expect(await statusOf(host)).toBe(403);
  await expect(openMetrics(hub, first.port)).rejects.toThrow(`Port ${first.port} is taken`);
  await first.close();
  await expect(fetch(`${url}/metrics`)).rejects.toThrow("fetch failed");
});

test("settings that would leave the metrics open are rejected", () => {
  expect(() => readEnv({ METRICS_TOKEN: "short" })).toThrow("METRICS_TOKEN: must have at least 16 characters");
  for (const port of ["0", "-1", "70000", "x"]) expect(() => readEnv({ METRICS_PORT: port })).toThrow("METRICS_PORT");
  expect(() => readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" })).toThrow("http(s)");
});

test("several scrapes share one reading of the database", async () => {
  const server = await openMetrics(hub, 0);
  const query = hub.db.query.bind(hub.db);
  let readings = 0;
  hub.db.query = (text, values) => {
    if (text.includes("WITH unsettled")) readings += 1;
    return query(text, values);
  };
  await Promise.all(Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${server.port}/metrics`)));
  hub.db.query = query;
  await server.close();
  // One at most, because an earlier test has read within the last five seconds.
  expect(readings).toBeLessThanOrEqual(1);
});
