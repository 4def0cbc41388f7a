import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { createSafeFetch, OutboundError, type SafeRequest } from ".";

const MIB = 1024 * 1024;
const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);
const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

async function listen<S extends Server | TcpServer>(server: S): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

/** Opens a server with this listener, and a client that may call it. */
async function http(
  listener: RequestListener,
  settings: Omit<Parameters<typeof createSafeFetch>[0], "allowHosts"> = {},
) {
  const port = await listen(createServer(listener));
  const fetch = createSafeFetch({ allowHosts: [`127.0.0.1:${port}`], ...settings });
  return (request: Partial<SafeRequest> = {}, place = "/") =>
    fetch(`http://127.0.0.1:${port}${place}`, { timeoutMs: 5_000, maxBytes: MIB, ...request });
}

/** Opens a server that writes raw bytes. */
async function tcp(onConnection: (socket: Socket) => void) {
  const port = await listen(createTcpServer(onConnection));
  const fetch = createSafeFetch({ allowHosts: [`127.0.0.1:${port}`] });
  return (request: Partial<SafeRequest> = {}) =>
    fetch(`http://127.0.0.1:${port}/`, { timeoutMs: 5_000, maxBytes: MIB, ...request });
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (error: unknown) => (error instanceof OutboundError ? error.reason : error),
  );

test("sends method, headers and body, and returns status, headers and body", async () => {
  let seen: IncomingMessage | undefined;
  const fetch = await http((request, response) => {
    seen = request;
    response.writeHead(201, { "x-answer": ["one", "two"] });
    request.pipe(response);
  });
  const answer = await fetch({ method: "POST", body: "ping", headers: { "x-ask": "1" } }, "/a%20b?c=d#e");
  expect(seen).toMatchObject({ method: "POST", url: "/a%20b?c=d" });
  expect(seen!.headers).toMatchObject({ "x-ask": "1", "content-length": "4" });
  expect(answer).toMatchObject({ status: 201, body: Buffer.from("ping"), headers: { "x-answer": "one, two" } });
});

test("a response to HEAD has no body, whatever its headers say", async () => {
  const fetch = await http((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end());
  expect(await fetch({ method: "HEAD" })).toMatchObject({ status: 200, body: Buffer.alloc(0) });
});

test("returns a redirect and does not follow it", async () => {
  let requests = 0;
  const fetch = await http((_, response) => {
    requests += 1;
    response.writeHead(302, { location: "/next" }).end("moved");
  });
  expect(await fetch()).toMatchObject({ status: 302, body: Buffer.from("moved"), headers: { location: "/next" } });
  expect(requests).toBe(1);
});

test("ignores proxies in the environment", async () => {
  const before = { ...process.env };
  const dead = "http://127.0.0.1:1";
  Object.assign(process.env, { HTTP_PROXY: dead, http_proxy: dead, ALL_PROXY: dead, NODE_USE_ENV_PROXY: "1" });
  try {
    const fetch = await http((_, response) => response.end("direct"));
    expect((await fetch()).body.toString()).toBe("direct");
  } finally {
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"]) {
      if (before[name] === undefined) delete process.env[name];
    }
  }
});

const fast = { level: constants.Z_BEST_SPEED };
test.each([
  ["gzip", (content: Buffer) => gzipSync(content, fast)],
  ["x-gzip", (content: Buffer) => gzipSync(content, fast)],
  ["deflate", (content: Buffer) => deflateSync(content, fast)],
  ["br", (content: Buffer) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
] as const)("decompresses %s, and stops a decompression bomb at the limit", async (encoding, pack) => {
  const [plain, bomb] = [pack(Buffer.from("unpacked")), pack(Buffer.alloc(200 * MIB))];
  const fetch = await http((request, response) => {
    response.setHeader("content-encoding", encoding);
    response.end(request.url === "/bomb" ? bomb : plain);
  });
  expect((await fetch()).body.toString()).toBe("unpacked");
  const before = process.memoryUsage.rss();
  expect(await reasonOf(fetch({}, "/bomb"))).toBe("too_large");
  expect((await fetch({ whenLarger: "cut" }, "/bomb")).body).toHaveLength(MIB);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MIB);
});

test("an unknown or wrong encoding is a broken response", async () => {
  const fetch = await http((request, response) => {
    response.setHeader("content-encoding", request.url === "/liar" ? "gzip" : "gzip, gzip, gzip");
    response.end("plain text");
  });
  expect(await reasonOf(fetch())).toBe("broken");
  expect(await reasonOf(fetch({}, "/liar"))).toBe("broken");
});

test("a response that may be cut counts whatever its encoding, unless the connection breaks", async () => {
  const fetch = await http((request, response) => {
    response.writeHead(410, { "content-encoding": request.headers["x-encoding"] as string });
    if (request.url !== "/half") return void response.end("plain text");
    response.write(gzipSync("packed").subarray(0, 12), () => request.socket.destroySoon());
  });
  const cut = (encoding: string, place = "/") =>
    fetch({ whenLarger: "cut", headers: { "x-encoding": encoding } }, place);
  for (const encoding of ["none", "UTF-8", "gzip, gzip"]) {
    expect(await cut(encoding)).toMatchObject({ status: 410, body: Buffer.from("plain text") });
  }
  expect(await cut("gzip")).toMatchObject({ status: 410, body: Buffer.alloc(0) });
  expect(await reasonOf(cut("gzip", "/half"))).toBe("broken");
});

test("reads exactly the limit; one more byte fails, or is cut off", async () => {
  const fetch = await http((request, response) => response.end(Buffer.alloc(Number(request.url!.slice(1)), "a")));
  expect((await fetch({ maxBytes: 1_000 }, "/1000")).body).toHaveLength(1_000);
  expect(await reasonOf(fetch({ maxBytes: 1_000 }, "/1001"))).toBe("too_large");
  expect((await fetch({ maxBytes: 1_000, whenLarger: "cut" }, "/1001")).body).toHaveLength(1_000);
});

test("reads nothing of a body whose length is above the limit", async () => {
  let isClosed = false;
  const fetch = await http((_, response) => {
    response.on("close", () => (isClosed = true));
    response.writeHead(200, { "content-length": String(MIB + 1) }).flushHeaders();
  });
  expect(await reasonOf(fetch({ store: () => expect.unreachable("the content is stored") }))).toBe("too_large");
  await expect.poll(() => isClosed).toBe(true);
  expect(await fetch({ method: "HEAD" })).toMatchObject({ status: 200 });
});

test("an error of storing the content is passed on, and the connection is closed", async () => {
  let closed = 0;
  const fetch = await http((request, response) => {
    request.socket.on("close", () => (closed += 1));
    response.write("content");
  });
  const full = new Error("the storage is full");
  const stores: SafeRequest["store"][] = [
    () => Promise.reject(full),
    async (content) => {
      for await (const { length } of content) if (length > 0) throw full;
    },
  ];
  for (const store of stores) expect(await reasonOf(fetch({ store }))).toBe(full);
  await expect.poll(() => closed).toBe(2);
});

test("a body that breaks off while it is stored is a broken response", async () => {
  const fetch = await http((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
  });
  expect(await reasonOf(fetch({ store: (content) => buffer(content) }))).toBe("broken");
});

test("stops reading an endless body once the limit is exceeded", async () => {
  let closed = false;
  const fetch = await http((_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", write).on("close", () => (closed = true));
    write();
  });
  expect(await reasonOf(fetch())).toBe("too_large");
  await expect.poll(() => closed).toBe(true);
});

test.each(["/silent", "/drip", "/half"])("times out on %s and closes the connection", async (place) => {
  let closed = 0;
  const fetch = await http((request, response) => {
    request.socket.on("close", () => (closed += 1));
    if (place === "/silent") return;
    response.writeHead(200, { "content-length": "1000000" });
    response.write("x");
    if (place === "/drip") {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    }
  });
  expect(await reasonOf(fetch({ timeoutMs: 300 }, place))).toBe("timeout");
  await expect.poll(() => closed).toBe(1);
});

test("times out on dripping headers and on a handshake that never ends", async () => {
  const drip = await tcp((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("X-A: b\r\n"), 20);
    socket.on("close", () => clearInterval(timer));
  });
  expect(await reasonOf(drip({ timeoutMs: 300 }))).toBe("timeout");

  const port = await listen(createTcpServer((socket) => socket.resume()));
  const fetch = createSafeFetch({ allowHosts: [`127.0.0.1:${port}`] });
  expect(await reasonOf(fetch(`https://127.0.0.1:${port}/`, { timeoutMs: 300, maxBytes: 1 }))).toBe("timeout");
  await expect.poll(() => sockets.size).toBe(0);
});

test("rejects endless headers, one huge header and endless informational responses", async () => {
  const endless = await tcp((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const write = () => {
      while (!socket.destroyed && socket.write(`X-${"a".repeat(1_000)}: b\r\n`));
    };
    socket.on("drain", write);
    write();
  });
  expect(await reasonOf(endless())).toBe("broken");
  const huge = await tcp((socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${"a".repeat(20_000)}\r\n\r\n`));
  expect(await reasonOf(huge())).toBe("broken");
  const informs = await tcp((socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"));
    };
    socket.on("drain", write);
    write();
  });
  expect(await reasonOf(informs({ timeoutMs: 300 }))).toBe("timeout");
});

test.each([
  ["a reset", (socket: Socket) => void socket.once("data", () => socket.resetAndDestroy())],
  ["a silent end", (socket: Socket) => void socket.once("data", () => socket.end())],
  ["not HTTP", (socket: Socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
  ["a cut body", (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc")],
  [
    "a cut chunk",
    (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nabc"),
  ],
  [
    "two lengths",
    (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"),
  ],
])("rejects %s as broken", async (_, behave) => {
  const fetch = await tcp(behave);
  expect(await reasonOf(fetch())).toBe("broken");
});

test("reports unreachable, unresolved and timeout for no listener, no address and a stuck name server", async () => {
  const port = await listen(createTcpServer());
  const closed = servers.pop()!;
  await new Promise((resolve) => closed.close(resolve));
  const ask = (lookup: () => Promise<string[]>) => {
    const fetch = createSafeFetch({ allowHosts: [`name.example:${port}`], lookup });
    return reasonOf(fetch(`http://name.example:${port}/`, { timeoutMs: 300, maxBytes: 1 }));
  };
  expect(await ask(async () => ["127.0.0.1"])).toBe("unreachable");
  expect(await ask(async () => [])).toBe("unresolved");
  expect(await ask(() => new Promise(() => undefined))).toBe("timeout");
});

test("looks up a name once, connects to its addresses in turn, and keeps the name in Host", async () => {
  const hosts: (string | undefined)[] = [];
  const port = await listen(
    createServer((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    }),
  );
  let lookups = 0;
  const lookup = async () => {
    lookups += 1;
    return ["::1", "127.0.0.1"];
  };
  const fetch = createSafeFetch({ allowHosts: [`name.example:${port}`], lookup });
  await fetch(`http://Name.Example.:${port}/`, { timeoutMs: 5_000, maxBytes: 1 });
  expect({ lookups, hosts }).toEqual({ lookups: 1, hosts: [`name.example:${port}`] });
});

test("the caller's abort ends the request with its own reason", async () => {
  const seen: string[] = [];
  const fetch = await http((request) => {
    seen.push("opened");
    request.socket.on("close", () => seen.push("closed"));
  });
  const controller = new AbortController();
  const call = fetch({ signal: controller.signal });
  await expect.poll(() => seen).toEqual(["opened"]);
  controller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  await expect(fetch({ signal: controller.signal })).rejects.toThrow("enough");
  await expect.poll(() => seen).toEqual(["opened", "closed"]);
});

test("opens at most the allowed sockets, and serves the rest in turn", async () => {
  const held: ServerResponse[] = [];
  let connections = 0;
  const fetch = await http(
    (request, response) => {
      connections += 1;
      request.socket.on("close", () => (connections -= 1));
      held.push(response);
    },
    { maxPerHost: 3 },
  );
  const calls = Array.from({ length: 10 }, () => fetch());
  for (let left = calls.length; left > 0; left -= 3) {
    await expect.poll(() => held.length).toBe(Math.min(3, left));
    expect(connections).toBeLessThanOrEqual(3);
    for (const response of held.splice(0)) response.end("served");
  }
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("waiting for a free socket counts towards the timeout", async () => {
  const fetch = await http(() => undefined, { maxConcurrent: 1 });
  const both = [fetch({ timeoutMs: 600 }), fetch({ timeoutMs: 200 })];
  expect(await Promise.all(both.map(reasonOf))).toEqual(["timeout", "timeout"]);
});

test("a wait that has a limit of its own does not count, and a request that waits longer is not sent", async () => {
  const held: ServerResponse[] = [];
  const fetch = await http((request, response) => void held.push(response), { maxPerHost: 1 });
  let ended = 0;
  const maxWait = { ms: 1_000, onEnd: () => (ended += 1) };
  const calls = [fetch({ timeoutMs: 600 }), fetch({ timeoutMs: 400, maxWait })].map(reasonOf);
  expect(await reasonOf(fetch({ maxWait: { ...maxWait, ms: 100 } }))).toBe("not_sent");
  expect([held.length, ended]).toEqual([1, 0]);
  expect(await calls[0]).toBe("timeout");
  await expect.poll(() => held.length).toBe(2);
  held[1]!.end();
  expect(await calls[1]).toBe("answered");
  expect(ended).toBe(1);
});

test("rejects an untrusted certificate or one for another name before it sends a byte", async () => {
  const { port, requests } = await secureServer();
  const fetch = createSafeFetch({ allowHosts: [`localhost:${port}`] });
  const call = fetch(`https://localhost:${port}/`, { timeoutMs: 5_000, maxBytes: 1 });
  await expect(call).rejects.toMatchObject({
    reason: "unreachable",
    message: "TLS error: the certificate or handshake is invalid.",
  });
  expect(requests()).toBe(0);
});

test("trusts NODE_EXTRA_CA_CERTS for the names in the certificate, and ignores NODE_TLS_REJECT_UNAUTHORIZED", async () => {
  const { port, requests } = await secureServer();
  const program = `
    import { createSafeFetch } from ${JSON.stringify(import.meta.dirname)};
    const ask = async (name) => {
      const fetch = createSafeFetch({ allowHosts: [name + ":${port}"], lookup: async () => ["127.0.0.1"] });
      return fetch("https://" + name + ":${port}/", { timeoutMs: 5000, maxBytes: 100 }).then((a) => String(a.body), (e) => e.reason);
    };
    (async () => console.log([await ask("receiver.example"), await ask("127.0.0.1"), await ask("other.example")].join()))();`;
  const run = async (env: Record<string, string>) => {
    const args = ["--import", "tsx", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
    return stdout.trim();
  };
  expect(await run({ NODE_EXTRA_CA_CERTS: fixture("localhost.cert.pem") })).toBe("secret,secret,unreachable");
  expect(await run({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toBe("unreachable,unreachable,unreachable");
  expect(requests()).toBe(2);
});

async function secureServer() {
  let requests = 0;
  const [key, cert] = await Promise.all(["key", "cert"].map((kind) => readFile(fixture(`localhost.${kind}.pem`))));
  const server = createTlsServer({ key, cert }, (_, response) => {
    requests += 1;
    response.end("secret");
  });
  return { port: await listen(server), requests: () => requests };
}
