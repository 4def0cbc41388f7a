import type { IncomingMessage } from "node:http";
import { afterEach, expect, test } from "vitest";
import { openRawClient } from "../../test/raw-client";
import { findPort, type HttpServer, openHttp } from "./http";

const open: HttpServer[] = [];
async function openEcho(): Promise<{ http: HttpServer; url: string }> {
  const http = await openHttp(0, { listens: "at once" });
  open.push(http);
  await http.serve((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => response.end(`${request.method} ${request.url} [${body}]`));
  });
  return { http, url: `http://127.0.0.1:${http.port}` };
}
afterEach(async () => {
  for (const http of open.splice(0)) await http.drain(0);
});

const http2Upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
const webSocket =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAA\r\nSec-WebSocket-Version: 13\r\n";
const anything = "Connection: keep-alive, upgrade\r\nUpgrade: anything/9\r\n";

test.each([http2Upgrade, webSocket, anything])(
  "responds to an upgrade request as HTTP/1.1 and keeps the connection: %j",
  async (offer) => {
    const { http, url } = await openEcho();
    const client = await openRawClient(url, `POST /one HTTP/1.1\r\nHost: hub\r\n${offer}Content-Length: 4\r\n\r\nbody`);
    await expect.poll(client.received).toContain("POST /one [body]");
    client.socket.write(`GET /two HTTP/1.1\r\nHost: hub\r\n${offer}\r\n`);
    await expect.poll(client.received).toContain("GET /two []");
    expect(client.received().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    await http.drain(5_000);
    expect(await client.closed).toBeNull();
  },
);

test("knows the address of a client that has reset its connection", async () => {
  const http = await openHttp(0, { listens: "at once" });
  open.push(http);
  const client = await openRawClient(`http://127.0.0.1:${http.port}`, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
  const address = new Promise((resolve) => {
    const resetClient = (request: IncomingMessage) => {
      request.socket.once("close", () => resolve(request.socket.remoteAddress));
      client.socket.resetAndDestroy();
    };
    void http.serve(resetClient);
  });
  expect(await address).toMatch(/127\.0\.0\.1$/);
});

test("responds to CONNECT and closes the connection", async () => {
  const { url } = await openEcho();
  const client = await openRawClient(url, "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\nmore");
  await client.closed;
  expect(client.received()).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
});

test("a drain responds to requests already sent, each with Connection: close", async () => {
  const { http, url } = await openEcho();
  const request = "GET / HTTP/1.1\r\nHost: hub\r\n\r\n";
  const clients = await Promise.all(Array.from({ length: 20 }, () => openRawClient(url, request)));
  await expect.poll(() => clients.every((client) => client.received().includes("[]"))).toBe(true);
  // The bytes have left the client, but the server has not read them.
  for (const { socket } of clients) socket.write(request);
  const drained = http.drain(5_000);
  expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual(clients.map(() => null));
  for (const client of clients) expect(client.received().match(/GET \/ \[\]/g)).toHaveLength(2);
  for (const client of clients) expect(client.received()).toMatch(/Connection: close\r\n[^]*$/);
  await drained;
});

test("a drain waits for requests in flight, and not for idle connections", async () => {
  const { http, url } = await openEcho();
  const [silent, half, busy] = await Promise.all([
    openRawClient(url),
    openRawClient(url, "GET / HTTP/1.1\r\nHo"),
    openRawClient(url, "POST / HTTP/1.1\r\nHost: hub\r\nContent-Length: 4\r\n\r\n"),
  ]);
  // A response to a later request shows that the earlier ones have arrived.
  const later = await openRawClient(url, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
  await expect.poll(later.received).toContain("GET / []");
  const drained = http.drain(60_000);
  await Promise.all([silent.closed, half.closed]);
  busy.socket.write("body");
  await Promise.all([drained, busy.closed]);
  expect(busy.received()).toContain("POST / [body]");
  expect(busy.received()).toMatch(/Connection: close/);
});

test("the port that several processes share is none that a connection may be given before they listen", async () => {
  expect(await findPort(0)).toBeLessThan(32_768);
});
