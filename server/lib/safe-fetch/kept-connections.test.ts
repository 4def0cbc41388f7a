import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import type { TLSSocket } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { createSafeFetch } from ".";

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Opens a server, and a client that sends requests under keys; both count. */
async function open(respond: RequestListener, maxAgeMs?: number) {
  const counts = { connections: 0, lookups: 0, requests: 0 };
  const server = createServer((request, response) => {
    counts.requests += 1;
    respond(request, response);
  });
  const port = await listen(server.on("connection", () => (counts.connections += 1)));
  const lookup = () => {
    counts.lookups += 1;
    return Promise.resolve(["127.0.0.1"]);
  };
  const fetch = createSafeFetch({ allowHosts: [`name.example:${port}`], lookup, maxAgeMs });
  const send = async (connectionKey?: string, maxBytes = 100) => {
    const request = {
      method: "POST",
      body: "x",
      timeoutMs: 5_000,
      whenLarger: "cut",
      maxBytes,
      connectionKey,
    } as const;
    return String((await fetch(`http://name.example:${port}/`, request)).body);
  };
  return { counts, send };
}

test("requests of one key share a connection, those of another key or none do not", async () => {
  const { counts, send } = await open((_, response) => response.end("ok"));
  for (const key of ["a", "a", "a", "b", "b", undefined, undefined]) expect(await send(key)).toBe("ok");
  expect(counts).toEqual({ connections: 4, lookups: 4, requests: 7 });
  await Promise.all([send("a"), send("a")]);
  expect(counts).toMatchObject({ connections: 5 });
});

test("a connection that is too old is not used again, so that its host is looked up and checked", async () => {
  const { counts, send } = await open((_, response) => response.end("ok"), 0);
  for (let n = 0; n < 3; n += 1) await send("a");
  expect(counts).toEqual({ connections: 3, lookups: 3, requests: 3 });
});

test("a connection is not used again when its server says so, or when the response was cut", async () => {
  const closing = await open((_, response) => response.writeHead(200, { connection: "close" }).end("ok"));
  const large = await open((_, response) => response.end("x".repeat(1_000_000)));
  for (let n = 0; n < 2; n += 1) {
    expect(await closing.send("a")).toBe("ok");
    expect(await large.send("a")).toHaveLength(100);
  }
  expect(closing.counts.connections).toBe(2);
  expect(large.counts.connections).toBe(2);
});

test("a request on a kept connection that breaks fails, and is not sent again", async () => {
  let breaks = false;
  const { counts, send } = await open((request, response) => {
    if (breaks) return void request.socket.destroy();
    response.end("ok");
  });
  await send("a");
  breaks = true;
  await expect(send("a")).rejects.toMatchObject({ reason: "broken" });
  expect(counts).toMatchObject({ connections: 1, requests: 2 });
  breaks = false;
  expect(await send("a")).toBe("ok");
  expect(counts).toMatchObject({ connections: 2, requests: 3 });
});

test("a new connection resumes the TLS session of its key, and of no other", async () => {
  const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);
  const [key, cert] = await Promise.all(["key", "cert"].map((kind) => readFile(fixture(`localhost.${kind}.pem`))));
  const resumed: boolean[] = [];
  const server = createTlsServer({ key, cert }, (request, response) => {
    resumed.push((request.socket as TLSSocket).isSessionReused());
    response.writeHead(200, { connection: "close" }).end("ok");
  });
  const port = await listen(server);
  const program = `
    import { createSafeFetch } from ${JSON.stringify(import.meta.dirname)};
    const fetch = createSafeFetch({ allowHosts: ["127.0.0.1:${port}"] });
    const send = (connectionKey) => fetch("https://127.0.0.1:${port}/", { timeoutMs: 5000, maxBytes: 100, connectionKey });
    (async () => { for (const key of ["a", "a", "b", undefined]) await send(key); })();`;
  await promisify(execFile)(process.execPath, ["--import", "tsx", "--eval", program], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: fixture("localhost.cert.pem") },
  });
  expect(resumed).toEqual([false, true, false, false]);
});
