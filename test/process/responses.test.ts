import { readdirSync, readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test, vi } from "vitest";
import { startHub } from "../../e2e/server";
import { warmUpPaths } from "../../server/process/warm-up";
import { reservePort } from "../reserve-port";
import { soakCount } from "../soak";

// Starts a whole process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const port = await reservePort();
const hub = await startHub({ env: { PORT: String(port), BASE_URL: "https://hub.example", LOG_LEVEL: "debug" } });
let stderr = "";
hub.child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
const agent = new Agent({ keepAlive: true });
afterAll(() => {
  agent.destroy();
  return hub.stop();
});

/** Writes these bytes to a new socket, and reads until the hub closes it. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).write(bytes);
  return text(socket);
}

const HEAD = "Host: localhost\r\nConnection: close\r\n";
const sendRequest = (line: string, headers = "", body = "") => `${line} HTTP/1.1\r\n${HEAD}${headers}\r\n${body}`;
const statics = path.join(".next", "static");
const asset = readdirSync(statics, { recursive: true, encoding: "utf8" }).find((file) => file.endsWith(".js"))!;

/** A request to each part that makes responses: method, path and expected status. */
const requests: [string, string, number][] = [
  ["GET", "/api/v1/health", 200],
  ["HEAD", "/api/v1/health", 200],
  ["GET", "/api/v1/openapi.json", 200],
  ["GET", "/api/v1/me", 401],
  ["GET", "/api/v1/nothing", 404],
  ["PUT", "/api/v1/me", 405],
  ["POST", "/api/v1/hub/files", 401],
  ["GET", "/api/v1/hub/files/none", 401],
  ["GET", "/api\\v1", 308],
  ["GET", "/", 200],
  ["GET", "/sign-in", 200],
  ["GET", "/overview", 307],
  ["GET", "/docs", 200],
  ["GET", "/no/such/page", 404],
  ["GET", "/icon.svg", 200],
  ["GET", `/_next/static/${asset}`, 200],
  ["GET", "/_next/static/chunks/none.js", 404],
  ["GET", "/_next/image?url=%2Ficon.svg&w=640&q=75", 404],
  ["GET", "/api/auth/csrf", 200],
  ["GET", "/api/auth/session", 200],
  ["GET", "/api/auth/signin", 302],
  ["GET", "/api/auth/none", 404],
  ["PUT", "/api/auth/session", 405],
  ["TRACE", "/api/auth/session", 405],
  ["TRACE", "/sign-in", 405],
  ["POST", "/api/auth/callback/credentials", 302],
  ["GET", "/api/trpc/account.get", 401],
  ["GET", "/api/trpc/none", 404],
  ["GET", "/api/inngest", 404],
  ["GET", "/api/none", 404],
  ["GET", "/%ff", 404],
];

test.each(requests)("responds to %s %s with the common headers and %i", async (method, target, status) => {
  const [head] = (await exchange(sendRequest(`${method} ${target}`, "Content-Length: 0\r\n"))).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/^x-content-type-options: nosniff\r?$/im);
  expect(head).toMatch(/^strict-transport-security: max-age=31536000\r?$/im);
  expect(head!.match(/^cache-control: .+$/gim)).toHaveLength(1);
});

const post = (path: string, body: string, type = "application/json") =>
  sendRequest(`POST ${path}`, `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`, body);
const SIGN_IN = "/api/auth/callback/credentials";

test.each<[string, string, RegExp]>([
  ["TRACE of a page", sendRequest("TRACE /"), /^405$/],
  ["TRACE of the API", sendRequest("TRACE /api/v1/me"), /^405$/],
  ["an unknown method", sendRequest("PROPFIND /api/v1/me"), /^405$/],
  ["target *", sendRequest("GET *"), /^400$/],
  ["OPTIONS *", sendRequest("OPTIONS *"), /^400$/],
  ["a whole address", sendRequest(`GET http://localhost/api/v1/health`), /^200$/],
  ["an id that is no UTF-8", sendRequest("GET /api/v1/hub/characters/%ff"), /^4\d\d$/],
  ["a page that is no UTF-8", sendRequest("GET /models/%ff"), /^404$/],
  ["a call of the console that is no UTF-8", sendRequest("GET /api/trpc/%ff"), /^404$/],
  ["a way to sign in that is no UTF-8", sendRequest("GET /api/auth/%ff"), /^404$/],
  ["a script that is no UTF-8", sendRequest("GET /_next/static/%ff"), /^404$/],
  ["NUL in a path", sendRequest("GET /%00"), /^404$/],
  ["no Host", "GET /api/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n", /^400$/],
  ["a Host that is none", "GET /api/v1/health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", /^400$/],
  [
    "two lengths",
    sendRequest("POST /api/v1/hub/generations", "Content-Length: 2\r\nContent-Length: 3\r\n", "{}"),
    /^400$/,
  ],
  [
    "a length and chunks",
    sendRequest("POST /", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
    /^400$/,
  ],
  ["an expectation", sendRequest("POST /api/v1/hub/generations", "Expect: nonsense\r\n"), /^417$/],
  ["a header of 20 kB", sendRequest("GET /api/v1/health", `X-Long: ${"a".repeat(20_000)}\r\n`), /^431$/],
  ["TLS", "\x16\x03\x01\x00\r\n\r\n", /^400$/],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", /^400$/],
  ["a form to a page", post("/sign-in", "a=b", "application/x-www-form-urlencoded"), /^405$/],
  ["an action of a page", sendRequest("POST /sign-in", "Next-Action: abc\r\nContent-Length: 0\r\n"), /^405$/],
  [
    "a router's state that is none",
    sendRequest("GET /overview", "RSC: 1\r\nNext-Router-State-Tree: %ff\r\n"),
    /^[234]\d\d$/,
  ],
  ["a cookie that is none", sendRequest("GET /overview", 'Cookie: .AspNetCore.Cookies=%ff; x="\r\n'), /^307$/],
  ["a sign-in by GET", sendRequest(`GET ${SIGN_IN}`), /^[34]\d\d$/],
  ["a sign-in of half JSON", post(SIGN_IN, "{"), /^[34]\d\d$/],
  ["a sign-in of a list", post(SIGN_IN, "[]"), /^[34]\d\d$/],
  ["a sign-in of null", post(SIGN_IN, "null"), /^[34]\d\d$/],
  ["a sign-in of no known type", post(SIGN_IN, "x", "text/plain"), /^[34]\d\d$/],
])("responds to %s with a status below 500", async (_name, bytes, status) => {
  expect(/^HTTP\/1\.1 (\d+)/.exec(await exchange(bytes))?.[1]).toMatch(status);
});

const MAX_MS = 100;
const QUERY = "a&".repeat(7_000);
const COOKIES = Array.from({ length: 1_400 }, (_, n) => `c${n}=1`).join("; ");
const PIECES = Array.from({ length: 500 }, (_, n) => `.AspNetCore.Cookies.${n}=a`).join("; ");
const CURL = "Accept: */*\r\n";
test.each<[string, string, RegExp]>([
  ["7,000 parameters at a page", sendRequest(`GET /?${QUERY}`), /^414$/],
  ["7,000 parameters at nothing", sendRequest(`GET /nothing?${QUERY}`), /^414$/],
  ["7,000 parameters at sign-in", sendRequest(`GET /api/auth/session?${QUERY}`), /^414$/],
  ["7,000 parameters at the console's calls", sendRequest(`GET /api/trpc/account.get?${QUERY}`), /^414$/],
  ["7,000 parameters at the engine", sendRequest(`PUT /api/inngest?${QUERY}`), /^414$/],
  ["7,000 parameters at the icon", sendRequest(`GET /icon.svg?${QUERY}`), /^414$/],
  ["7,000 parameters at REST", sendRequest(`GET /api/v1/hub/models?${QUERY}`), /^401$/],
  ["100 parameters at a page", sendRequest(`GET /sign-in?${QUERY.slice(0, 198)}`), /^200$/],
  ["a long parameter at a page", sendRequest(`GET /sign-in?next=${"%2F".repeat(2_600)}`), /^200$/],
  ["1,400 cookies", sendRequest("GET /sign-in?next=/keys", `Cookie: ${COOKIES}\r\n`), /^200$/],
  ["a session in 500 pieces", sendRequest("GET /api/auth/session", `Cookie: ${PIECES}\r\n`), /^200$/],
  [
    "a session of 4,000 bytes",
    sendRequest("GET /keys", `Cookie: .AspNetCore.Cookies=${"a.".repeat(2_000)}\r\n`),
    /^307$/,
  ],
  ["a router's state of 14 kB", sendRequest("GET /docs", `RSC: 1\r\nNext-Router-State-Tree: ${"[".repeat(14_000)}\r\n`), /^[234]\d\d$/], // prettier-ignore
  ["14 kB of languages", sendRequest("GET /keys", `Accept-Language: ${"a,".repeat(7_000)}\r\n`), /^307$/],
  ["14 kB of tags", sendRequest("GET /docs", `${CURL}If-None-Match: ${"a,".repeat(7_000)}\r\n`), /^200$/],
  ["14 kB of encodings", sendRequest("GET /docs", `Accept-Encoding: ${"a,".repeat(7_000)}\r\n`), /^200$/],
  ["14 kB of encodings at a page that is rendered", sendRequest("GET /keys", `Accept-Encoding: ${"a,".repeat(7_000)}\r\n`), /^307$/], // prettier-ignore
  ["14 kB of proxies", sendRequest("GET /docs", `X-Forwarded-For: ${"a,".repeat(7_000)}\r\n`), /^200$/],
])("%s cost little", async (_name, bytes, status) => {
  // The first request of a kind loads code, and a virtual machine that is paused counts the pause as processor time.
  let cheapestMs = Infinity;
  for (let requests = 0; requests < 4 && cheapestMs >= MAX_MS; requests += 1) {
    const before = readLoopMs();
    expect(/^HTTP\/1\.1 (\d+)/.exec(await exchange(bytes))?.[1]).toMatch(status);
    cheapestMs = Math.min(cheapestMs, readLoopMs() - before);
  }
  expect(cheapestMs).toBeLessThan(MAX_MS);
});

/** Returns the processor time that the hub's event loop has used, in milliseconds. */
const readLoopMs = () => {
  const task = `/proc/${hub.child.pid}/task/${hub.child.pid}/schedstat`;
  return process.platform === "linux" ? Number(readFileSync(task, "utf8").split(" ")[0]) / 1e6 : 0;
};

const CLIENTS = 16;
const COUNT = soakCount(48, 2_000);

/** Returns the status of a page, read to its end. */
const read = (path: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, headers, agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode!));
    }).on("error", reject);
  });

test.each([
  ["/", 200],
  ["/docs", 200],
  ["/docs/api/schemas", 200],
  ["/sign-in", 200],
  ["/nothing", 404],
  ["/api/nothing", 404],
  ["/icon.svg?version", 200],
])("%s is rendered once", async (path, status) => {
  expect(await read(path)).toBe(status);
  const before = readLoopMs();
  for (let sent = 0; sent < COUNT; sent += CLIENTS) {
    const statuses = await Promise.all(Array.from({ length: CLIENTS }, () => read(path)));
    expect(new Set(statuses)).toEqual(new Set([status]));
  }
  // Rendering a page takes 10 to 70 ms.
  expect((readLoopMs() - before) / COUNT).toBeLessThan(5);
});

test("a customer's request overtakes pages that wait to be rendered", async () => {
  let rendered = 0;
  let isDone = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isDone) {
      expect(await read("/sign-in?next=/keys")).toBe(200);
      rendered += 1;
    }
  });
  const passed: number[] = [];
  for (let n = 0; n < soakCount(7, 300); n += 1) {
    const before = rendered;
    await expect.poll(() => rendered, { interval: 1 }).toBeGreaterThan(before);
    const begun = rendered;
    expect(await read("/api/v1/me", { authorization: `Bearer ${hub.key}` })).toBe(200);
    passed.push(rendered - begun);
  }
  isDone = true;
  await Promise.all(clients);
  // Without the queue, 5 to 16 pages come first.
  expect(passed.sort((a, b) => a - b)[passed.length >> 1]).toBeLessThanOrEqual(2);
});

test("one network may not have more than 32 pages wait", async () => {
  const own = new Agent();
  const statuses: number[] = [];
  for (let n = 0; n < 60; n += 1) {
    get({ port, host: "127.0.0.1", path: "/sign-in?next=/keys", agent: own }, (response) => {
      statuses.push(response.resume().statusCode!);
    }).on("error", () => undefined);
  }
  await expect.poll(() => statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
  // Requests of clients that have left are dropped when their turn comes.
  own.destroy();
  await expect.poll(() => read("/sign-in?next=/keys")).toBe(200);
});

test("loads what pages share without being asked", async () => {
  const loaded = () =>
    Array.from(stderr.matchAll(/^.*"loaded the code of a page".*$/gm), ([line]) => {
      const { path: target, status } = JSON.parse(line) as { path: string; status: number };
      return [target, status];
    });
  const answers = requests.flatMap(([method, target, status]) => (method === "GET" ? [[target, status] as const] : []));
  const expected = answers.filter(([target]) => warmUpPaths.includes(target));
  await expect.poll(() => loaded().sort(), { timeout: 30_000 }).toEqual(expected.sort());
});

test("everything written is log lines", () => {
  const lines = hub.output().split("\n").filter((line) => line.startsWith("{") || /error|⨯|warn/i.test(line)); // prettier-ignore
  for (const line of [...lines, ...stderr.split("\n").filter(Boolean)])
    expect(() => JSON.parse(line) as unknown, line).not.toThrow();
});
