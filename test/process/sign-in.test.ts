import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { newBrowser } from "../auth-browser";
import { type Claims, openOpenIdProvider } from "../openid-provider";

// Starts a whole process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const provider = await openOpenIdProvider();
let hub: RunningHub;
beforeAll(async () => {
  const oidc = { AUTH_OIDC_ISSUER: provider.issuer, AUTH_OIDC_ID: "hub", AUTH_OIDC_SECRET: "secret" };
  hub = await startHub({ env: { ...oidc, RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "8" } });
});
afterAll(() => hub.stop());

async function byService(claims: Claims, browser = newBrowser(hub.url)) {
  const { url } = (await (await browser.post("/api/auth/signin/oidc", { callbackUrl: "/keys" })).json()) as {
    url: string;
  };
  const back = await browser.navigate(`/api/auth/callback/oidc?${provider.consent(url, claims).toString()}`);
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
  const made = await fetch(`${hub.url}/api/trpc/access.signUp`, { method: "POST", headers: json, body });
  expect(made.status).toBe(200);
  expect((await byService({ sub: "3", email, email_verified: true })).location).toBe("/sign-in?error=taken");
  expect((await byService({ sub: "4", email: hub.demo.email, email_verified: true })).location).toBe("/keys");
});

test("rejects a sign-in that another browser started", async () => {
  const other = newBrowser(hub.url);
  const { url } = (await (await other.post("/api/auth/signin/oidc", {})).json()) as { url: string };
  const back = provider.consent(url, { sub: "1" });
  const here = newBrowser(hub.url);
  const answer = await here.navigate(`/api/auth/callback/oidc?${back.toString()}`);
  expect(answer.headers.get("location")).toMatch(/\/error\?error=/);
  expect(await here.session()).toEqual({});
});

test("a copy of the cookie is invalid after its browser has signed out", async () => {
  const [browser, other] = [newBrowser(hub.url), newBrowser(hub.url)];
  for (const each of [browser, other]) await each.post("/api/auth/callback/credentials", hub.demo);
  const routes = ["/api/v1/hub/keys", "/api/trpc/account.get", "/overview"];
  const statusesOf = (cookie: string) =>
    Promise.all(
      routes.map(async (route) => {
        const headers = { cookie, "x-requested-with": "XMLHttpRequest" };
        return (await fetch(hub.url + route, { headers, redirect: "manual" })).status;
      }),
    );
  const copiedCookie = browser.cookie();
  expect(await statusesOf(copiedCookie)).toEqual([200, 200, 200]);
  await browser.post("/api/auth/signout", {});
  expect(await statusesOf(copiedCookie)).toEqual([401, 401, 307]);
  expect(await statusesOf(other.cookie())).toEqual([200, 200, 200]);
});

test("signs in by password through next-auth's form, and rejects a forged form with 401 and guesses with 429", async () => {
  const browser = newBrowser(hub.url);
  const { email, password } = hub.demo;
  expect((await browser.post("/api/auth/callback/credentials", { email, password })).status).toBe(200);
  expect(await browser.session()).toMatchObject({ user: { email } });
  const keys = await browser.navigate("/api/v1/hub/keys", { headers: { "x-requested-with": "XMLHttpRequest" } });
  expect(keys.status).toBe(200);

  // What an address of a page has that cannot be stored is ignored, and an odd id is unknown.
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

  const forged = newBrowser(hub.url);
  const body = new URLSearchParams({ email, password, csrfToken: "x" });
  await forged.navigate("/api/auth/callback/credentials", { method: "POST", body });
  expect(forged.jar.has(".AspNetCore.Cookies")).toBe(false);

  const statuses = [];
  for (let guess = 0; guess < 10; guess += 1) {
    // X-Forwarded-For is ignored without a trusted proxy.
    const headers = { "x-forwarded-for": `192.0.2.${guess}`, "x-hub-client": `192.0.2.${guess}` };
    const guesser = newBrowser(hub.url);
    const { csrfToken } = (await (await guesser.navigate("/api/auth/csrf")).json()) as { csrfToken: string };
    const sent = new URLSearchParams({
      csrfToken,
      json: "true",
      email: `nobody-${guess}@example.org`,
      password: "guess",
    });
    const answer = await guesser.navigate("/api/auth/callback/credentials", { method: "POST", body: sent, headers });
    statuses.push(answer.status);
    if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  const nul = await browser.post("/api/auth/callback/credentials", { email: "a\0@example.org", password: "x\0" });
  expect(nul.status).toBe(400);
  const large = await fetch(`${hub.url}/api/auth/callback/credentials`, { method: "POST", body: "x".repeat(70_000) });
  expect(large.status).toBe(413);
});
