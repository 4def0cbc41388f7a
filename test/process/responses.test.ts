import { readdirSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { newBrowser } from "../auth-browser";
import { reservePort } from "../reserve-port";
import { warmUpPaths } from "../../server/process/warm-up";

// Starts a whole process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let hub: RunningHub;
let url: string;
let stderr = "";
beforeAll(async () => {
  const port = String(await reservePort());
  hub = await startHub({ env: { PORT: port, BASE_URL: "https://hub.example", LOG_LEVEL: "debug" } });
  hub.child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  url = `http://127.0.0.1:${port}`;
});
afterAll(() => hub.stop());

const statics = path.join(".next", "static");
const asset = readdirSync(statics, { recursive: true, encoding: "utf8" }).find((file) => file.endsWith(".js"))!;

/** A way to get an answer of each maker: method, path, and the status that it has. */
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

/** Sends a request that HTTP clients reject, and returns the head of the response. */
function sendRaw(method: string, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let answer = "";
    socket.once("error", reject).once("close", () => resolve(answer.split("\r\n\r\n")[0]!));
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: hub.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  });
}

test.each(requests)("responds to %s %s with the common headers and %i", async (method, target, status) => {
  const head = await sendRaw(method, target);
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/^x-content-type-options: nosniff\r?$/im);
  expect(head).toMatch(/^strict-transport-security: max-age=31536000\r?$/im);
  expect(head.match(/^cache-control: .+$/gim)).toHaveLength(1);
});

const bodies: [string, string][] = [
  ["application/json", "{"],
  ["application/json", "null"],
  ["application/json", "[]"],
  ["application/json", '"x"'],
  ["application/json", '{"email":{},"password":[],"csrfToken":1}'],
  ["application/json", '{"callbackUrl":{"a":1}}'],
  ["application/json", '{"callbackUrl":"not an address"}'],
  ["application/x-www-form-urlencoded", "%ff=%&callbackUrl=%00"],
  ["application/x-www-form-urlencoded", "callbackUrl=javascript:alert(1)"],
  ["multipart/form-data; boundary=x", "--x"],
  ["text/plain", "x"],
  ["image/png", "\u0000"],
];
const routes = [
  "callback/credentials",
  "callback/none",
  "signin/credentials",
  "signin",
  "signout",
  "session",
  "_log",
  "callback/credentials?callbackUrl=x",
  "session?callbackUrl=%00",
];
const cookies = ["next-auth.callback-url=x", "next-auth.csrf-token=%", "__Secure-next-auth.callback-url=not%20one"];
const form = bodies.find(([type]) => type.endsWith("urlencoded"))!;
const attempts = routes.flatMap((route) => [
  ...bodies.map(([type, body]) => ({ route, type, body, cookie: "" })),
  ...cookies.map((cookie) => ({ route, type: form[0], body: form[1], cookie })),
]);

test("no body, URL or cookie makes sign-in fail, and errors are JSON", async () => {
  for (const { route, type, body, cookie } of attempts) {
    const init = { method: "POST", headers: { "content-type": type, cookie }, body, redirect: "manual" as const };
    const { status, headers } = await fetch(`${url}/api/auth/${route}`, init);
    expect({ route, body, cookie, status }).toEqual({
      route,
      body,
      cookie,
      status: expect.toBeOneOf([200, 302, 400, 404]) as number,
    });
    if (status >= 400) expect(headers.get("content-type")).toMatch(/^(application\/json|text\/plain)/);
  }
});

test("the session's cookie is secure", async () => {
  const browser = newBrowser(url);
  await browser.post("/api/auth/callback/credentials", hub.demo);
  const cookie = browser.setCookies.find((line) => line.startsWith(".AspNetCore.Cookies="))!;
  expect(cookie).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax/i);
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

test("everything written to stderr is log lines", () => {
  for (const line of stderr.split("\n").filter((text) => text !== "")) {
    expect(() => JSON.parse(line) as unknown, line).not.toThrow();
  }
});
