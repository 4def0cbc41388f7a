import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { newBrowser } from "../auth-browser";
import { type Claims, openOpenIdProvider } from "../openid-provider";
import { reservePort } from "../reserve-port";

// Starts a whole process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const provider = await openOpenIdProvider();
const READS = 60;
const FAILURES = 8;
const port = await reservePort();
const url = `http://127.0.0.1:${port}`;
let hub: RunningHub;
beforeAll(async () => {
  const oidc = { AUTH_OIDC_ISSUER: provider.issuer, AUTH_OIDC_ID: "hub", AUTH_OIDC_SECRET: "secret" };
  const limits = { RATE_LIMIT_READS_PER_MINUTE: `${READS}`, RATE_LIMIT_FAILED_AUTH_PER_MINUTE: `${FAILURES}` };
  hub = await startHub({ env: { ...oidc, ...limits, PORT: String(port), BASE_URL: "https://hub.example" } });
});
afterAll(() => hub.stop());

async function byService(claims: Claims, browser = newBrowser(url)) {
  const start = await browser.post("/api/auth/signin/oidc", { callbackUrl: "/keys" });
  const consented = provider.consent(((await start.json()) as { url: string }).url, claims);
  const back = await browser.navigate(`/api/auth/callback/oidc?${consented.toString()}`);
  return { browser, location: back.headers.get("location")!.replace(hub.url, "") };
}

test("an OpenID provider signs in to a new account, and to the same one the next time, whatever its other claims", async () => {
  const first = await byService({ sub: "1", email: "olga@example.org", email_verified: true });
  expect(first.location).toBe("/keys");
  expect(await first.browser.session()).toMatchObject({ user: { email: "olga@example.org" } });
  const again = await byService({ sub: "1", email: "other@example.org", email_verified: false });
  expect(await again.browser.session()).toMatchObject({ user: { email: "olga@example.org" } });
});

test("rejects an unverified address, and an account with an unverified address", async () => {
  const refused = await byService({ sub: "2", email: "demo@example.org", email_verified: false });
  expect(refused.location).toBe("/sign-in?error=unverified");
  expect(await refused.browser.session()).toEqual({});
  const email = "early@example.org";
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ json: { email, password: "correct horse" } });
  const made = await fetch(`${url}/api/trpc/access.signUp`, { method: "POST", headers: json, body });
  expect(made.status).toBe(200);
  expect((await byService({ sub: "3", email, email_verified: true })).location).toBe("/sign-in?error=taken");
  expect((await byService({ sub: "4", email: hub.demo.email, email_verified: true })).location).toBe("/keys");
});

test("rejects a sign-in that another browser started", async () => {
  const other = newBrowser(url);
  const start = await other.post("/api/auth/signin/oidc", {});
  const back = provider.consent(((await start.json()) as { url: string }).url, { sub: "1" });
  const here = newBrowser(url);
  const answer = await here.navigate(`/api/auth/callback/oidc?${back.toString()}`);
  expect(answer.headers.get("location")).toMatch(/\/error\?error=/);
  expect(await here.session()).toEqual({});
});

test("a copy of the cookie is invalid after its browser has signed out", async () => {
  const [browser, other] = [newBrowser(url), newBrowser(url)];
  for (const each of [browser, other]) await each.post("/api/auth/callback/credentials", hub.demo);
  const routes = ["/api/v1/hub/keys", "/api/trpc/account.get", "/overview"];
  const statusesOf = (cookie: string) =>
    Promise.all(
      routes.map(async (route) => {
        const headers = { cookie, "x-requested-with": "XMLHttpRequest" };
        return (await fetch(url + route, { headers, redirect: "manual" })).status;
      }),
    );
  const copiedCookie = browser.cookie();
  expect(await statusesOf(copiedCookie)).toEqual([200, 200, 200]);
  await browser.post("/api/auth/signout", {});
  expect(await statusesOf(copiedCookie)).toEqual([401, 401, 307]);
  expect(await statusesOf(other.cookie())).toEqual([200, 200, 200]);
});

test("signs in by password through next-auth's form, and rejects a forged form", async () => {
  const browser = newBrowser(url);
  const { email, password } = hub.demo;
  expect((await browser.post("/api/auth/callback/credentials", { email, password })).status).toBe(200);
  expect(await browser.session()).toMatchObject({ user: { email } });
  const keys = await browser.navigate("/api/v1/hub/keys", { headers: { "x-requested-with": "XMLHttpRequest" } });
  expect(keys.status).toBe(200);

  // Values in the address of a page that cannot be stored are ignored, and an odd id is unknown.
  for (const [path, status] of [
    ["/generations?cursor=%00", 200],
    ["/generations?q=a%00&key=%00", 200],
    ["/requests?request=%00&key=%00", 200],
    ["/files?q=%00&cursor=%00", 200],
    ["/balance?cursor=%00", 200],
    ["/generations/%00", 404],
    [`/generations/${"x".repeat(300)}`, 404],
    [`/generations?cursor=${"x".repeat(600)}`, 404],
  ] as const)
    expect([path, (await browser.navigate(path)).status]).toEqual([path, status]);

  const forged = newBrowser(url);
  const body = new URLSearchParams({ email, password, csrfToken: "x" });
  await forged.navigate("/api/auth/callback/credentials", { method: "POST", body });
  expect(forged.jar.has(".AspNetCore.Cookies")).toBe(false);
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

/**
 * Calls twice as often as a limit allows, of which `used` calls may be taken already, and expects that at most the
 * limit and what it regains meanwhile is allowed.
 */
async function expectLimit(perMinute: number, used: number, call: (count: number) => Promise<Response>) {
  const startedAt = performance.now();
  let allowed = 0;
  for (let count = 0; count < perMinute * 2; count += 1) {
    const { status, headers } = await call(count);
    if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    else allowed += 1;
  }
  expect(allowed).toBeGreaterThanOrEqual(perMinute - used);
  const regained = Math.ceil(((performance.now() - startedAt) * perMinute) / 60_000);
  expect(allowed).toBeLessThanOrEqual(perMinute + regained);
}

test("REST and the console share one rate limit of an account", async () => {
  const { browser } = await byService({ sub: "5", email: "reader@example.org", email_verified: true });
  const body = JSON.stringify({ name: "reader" });
  const headers = { "x-requested-with": "XMLHttpRequest", "content-type": "application/json" };
  const { key } = (await (await browser.navigate("/api/v1/hub/keys", { method: "POST", body, headers })).json()) as { key: string }; // prettier-ignore
  await expectLimit(READS, 0, (count) =>
    count % 2 === 0
      ? fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
      : browser.navigate("/api/trpc/account.get", { headers }),
  );
});

test("counts failed authentications of one address together, whatever was tried", async () => {
  // The sign-up and the copied cookie have counted.
  await expectLimit(FAILURES, 2, async (count) => {
    // X-Forwarded-For is ignored without a trusted proxy.
    const headers = { "x-forwarded-for": `192.0.2.${count}`, "x-hub-client": `192.0.2.${count}` };
    const guesser = newBrowser(url);
    const guess =
      count % 2 === 0
        ? await guesser.navigate("/api/v1/me", { headers: { ...headers, authorization: "Bearer guess" } })
        : await guesser.post(
            "/api/auth/callback/credentials",
            { email: `nobody-${count}@example.org`, password: "guess" },
            headers,
          );
    expect(guess.status).toBeOneOf([401, 429]);
    return guess;
  });
  const nul = await newBrowser(url).post("/api/auth/callback/credentials", {
    email: "a\0@example.org",
    password: "x\0",
  });
  expect(nul.status).toBe(400);
  const large = await fetch(`${url}/api/auth/callback/credentials`, { method: "POST", body: "x".repeat(70_000) });
  expect(large.status).toBe(413);
});
