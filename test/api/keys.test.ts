import { beforeAll, describe, expect, test } from "vitest";
import { getPerson, signOutEverywhere } from "../../server/domain/people/person";
import { MAX_IDLE_S, MAX_SESSION_S } from "../../server/domain/sessions/resolve-session";
import { newId } from "../../server/lib/id";
import { sessionCookie, sessionHeaders } from "../session";
import { deriveHub } from "../derive-hub";
import { callApi, type Request } from "./call";
import { newCustomer } from "./customer";
import { openHosts, openOwnHost } from "./hosts";

const KEYS = "/api/v1/hub/keys";
const hosts = await openHosts({ RATE_LIMIT_KEYS_PER_MINUTE: "100000" });
const picture = { model: "sandbox-image", input: { prompt: "a tree" } };

describe.each(hosts)("keys on $name", (host) => {
  let account: number;
  let headers: Record<string, string>;
  const send = (method: string, path = KEYS, request: Request = {}) =>
    callApi(host, method, path, { ...request, headers: { ...headers, ...request.headers } });
  const make = async (body: object) => (await send("POST", KEYS, { body })).body as Record<string, string>;

  beforeAll(async () => {
    ({ account } = await newCustomer(host.hub));
    headers = await sessionHeaders(host.hub, account);
  });

  test("a key works, is listed without its secret, and ends with its revocation", async () => {
    const created = await send("POST", KEYS, { body: { name: " server " } });
    expect(created.status).toBe(201);
    const { key, ...record } = created.body as { key: string; id: string };
    expect(record).toEqual({
      id: expect.any(String) as string,
      name: "server",
      prefix: key.slice(0, 17),
      created_at: expect.stringMatching(/Z$/) as string,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      require_idempotency: false,
      spend_limit: null,
      spend_limit_reset: null,
      spent: 0,
      paused_at: null,
      allowed_models: null,
      allow_high_priority: true,
      keeps_nothing: false,
      metadata: null,
      require_end_user: false,
      requests_per_minute: null,
      tokens_per_minute: null,
      allowed_ips: null,
      previous_prefix: null,
      previous_expires_at: null,
    });
    expect((await callApi(host, "GET", "/api/v1/me", { key })).body.key).toEqual({
      name: "server",
      prefix: created.body.prefix,
    });
    const listed = await send("GET");
    expect(JSON.stringify(listed.body)).not.toContain(key);
    const found = () =>
      send("GET").then(({ body }) => (body.data as (typeof record)[]).find(({ id }) => id === record.id));
    await expect.poll(found).toMatchObject({ last_used_at: expect.stringMatching(/Z$/) as string });

    expect((await send("DELETE", `${KEYS}/${record.id}`)).status).toBe(204);
    for (const other of hosts) expect((await callApi(other, "GET", "/api/v1/me", { key })).status).toBe(401);
    expect(await found()).toMatchObject({ revoked_at: expect.stringMatching(/Z$/) as string });
    expect((await send("DELETE", `${KEYS}/${record.id}`)).body.code).toBe("resource_not_found");
  });

  test("responds alike to another account's key, an unknown one and a malformed id", async () => {
    const { keyId } = await newCustomer(host.hub);
    const listedLimit = async (id: string) => {
      const { status, body } = await send("DELETE", `${KEYS}/${id}`);
      return { status, ...body, instance: "" };
    };
    const otherAccountsKey = await listedLimit(keyId);
    expect(otherAccountsKey.status).toBe(404);
    expect(await listedLimit(newId())).toEqual(otherAccountsKey);
    expect(await listedLimit("none")).toEqual(otherAccountsKey);
    const listed = (await send("GET")).body.data as { id: string }[];
    expect(listed.map(({ id }) => id)).not.toContain(keyId);
  });

  test("responds with 401 without a cookie, a script's header or an allowed origin, or with any key", async () => {
    const { key, account: other } = await newCustomer(host.hub);
    const { keyId } = await newCustomer(host.hub);
    const cookie = headers.cookie!;
    const script = { "x-requested-with": "XMLHttpRequest" };
    // Its header asks the hub to derive a key with ten million rounds.
    const header = { alg: "PBES2-HS256+A128KW", enc: "A256GCM", p2s: "AAAAAAAAAAA", p2c: 10_000_000 };
    const forged = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.AAAA.AAAA.AAAA.AAAA`;
    const rejected: Record<string, Record<string, string>> = {
      "no cookie": script,
      "another cookie": { ...script, cookie: cookie.replace(".AspNetCore.Cookies", "session") },
      "garbage in the cookie": { ...script, cookie: ".AspNetCore.Cookies=garbage" },
      "half an escape in the cookie": { ...script, cookie: ".AspNetCore.Cookies=%E0%" },
      "an empty cookie": { ...script, cookie: ".AspNetCore.Cookies=" },
      "a token sealed another way": { ...script, cookie: `.AspNetCore.Cookies=${forged}` },
      "a damaged cookie": { ...script, cookie: cookie.slice(0, -5) },
      "no script": { cookie },
      "another script": { cookie, "x-requested-with": "fetch" },
      "the script in lower case": { cookie, "x-requested-with": "xmlhttprequest" },
      "a page of somebody else": { ...headers, origin: "https://elsewhere.example" },
      "a page of nobody": { ...headers, origin: "null" },
      "a key": { ...script, authorization: `Bearer ${key}` },
      "a key beside the session": { ...headers, authorization: `Bearer ${key}` },
      "garbage beside the session": { ...headers, authorization: "Bearer x" },
      "basic authentication beside the session": { ...headers, authorization: "Basic eDp5" },
      "a session under another secret": {
        ...script,
        cookie: await sessionCookie(deriveHub(host.hub, { secret: "another secret of at least 32 characters" }), other),
      },
      "a session that is not there": { ...script, cookie: await sessionCookie(host.hub, other, { session: newId() }) },
      "a token without a session": { ...script, cookie: await sessionCookie(host.hub, other, { session: undefined }) },
    };
    for (const [name, sent] of Object.entries(rejected)) {
      const requests = [
        ["GET", KEYS, undefined],
        ["POST", KEYS, { name: "x" }],
        ["PATCH", `${KEYS}/${keyId}`, { name: "x" }],
        ["POST", `${KEYS}/${keyId}/rotate`, { grace_hours: 0 }],
        ["DELETE", `${KEYS}/${keyId}`, undefined],
      ] as const;
      for (const [method, path, body] of requests) {
        expect((await callApi(host, method, path, { headers: sent, body })).body?.code, `${name}: ${method}`).toBe(
          "unauthorized",
        );
      }
    }
    expect((await send("GET", KEYS, { headers: { origin: "https://hub.test" } })).status).toBe(200);
    expect((await send("GET", KEYS, { headers: { origin: host.url } })).status).toBe(200);
  });

  test("reports bad input by its location", async () => {
    const issues: [object, string][] = [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ name: "  " }, "name"],
      [{ name: "x".repeat(101) }, "name"],
      [{ name: 5 }, "name"],
      [{ name: "a\u0000b" }, "name"],
      [{ name: "x", expires_at: "tomorrow" }, "expires_at"],
      [{ name: "x", expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
      [{ name: "x", expires_at: "9999-12-31T23:59:59-01:00" }, "expires_at"],
      [{ name: "x", require_idempotency: "yes" }, "require_idempotency"],
      [{ name: "x", spend_limit: 0 }, "spend_limit"],
      [{ name: "x", spend_limit: -1 }, "spend_limit"],
      [{ name: "x", spend_limit: "5" }, "spend_limit"],
      [{ name: "x", spend_limit: 1e-10 }, "spend_limit"],
      [{ name: "x", spend_limit: 1.0000000001 }, "spend_limit"],
      [{ name: "x", spend_limit: 1_000_001 }, "spend_limit"],
      [{ name: "x", spend_limit_reset: "day" }, "spend_limit_reset"],
      [{ name: "x", spend_limit: 1, spend_limit_reset: "week" }, "spend_limit_reset"],
      [{ name: "x", id: newId() }, "id"],
      [{ name: "x", allowed_models: [] }, "allowed_models"],
      [{ name: "x", allowed_models: "sandbox-image" }, "allowed_models"],
      [{ name: "x", allowed_models: ["sandbox-image", "unknown"] }, "allowed_models.1"],
      [{ name: "x", allowed_models: Array.from({ length: 101 }, () => "sandbox-image") }, "allowed_models"],
    ];
    const { id } = await make({ name: "bad input" });
    const changes = issues.filter(([body]) => "name" in body && !("require_idempotency" in body));
    const requests = [
      ...issues.map(([body, location]) => ["POST", KEYS, body, location] as const),
      ...changes.map(([body, location]) => ["PATCH", `${KEYS}/${id}`, body, location] as const),
      ["PATCH", `${KEYS}/${id}`, { paused: "yes" }, "paused"] as const,
    ];
    for (const [method, path, body, location] of requests) {
      const reply = await send(method, path, { body });
      expect(reply.body, `${method} ${JSON.stringify(body)}`).toMatchObject({
        code: "invalid_input",
        errors: { [location]: [expect.any(String)] },
      });
    }
  });

  test("stores an expiry and whether an idempotency key is required", async () => {
    const expires = new Date(host.hub.now().getTime() + 3_600_000).toISOString();
    const strict = await make({ name: "strict", expires_at: expires, require_idempotency: true });
    expect(strict).toMatchObject({ expires_at: expires, require_idempotency: true });
    const rejected = await callApi(host, "POST", "/api/v1/hub/generations", { key: strict.key, body: picture });
    expect(rejected.body.errors).toHaveProperty("Idempotency-Key");
  });

  test("a spend limit is enforced and returned, and a cancellation frees its part", async () => {
    const { key, id } = await make({ name: "small", spend_limit: 0.01, spend_limit_reset: "day" });
    const first = await callApi(host, "POST", "/api/v1/hub/generations", { key, body: picture });
    expect(first.status).toBe(202);
    const second = await callApi(host, "POST", "/api/v1/hub/generations", { key, body: picture });
    expect(second.status).toBe(402);
    const midnight = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(second.body).toMatchObject({ code: "insufficient_credits", required: 0.0092, available: 0.0008 });
    expect(second.body.detail).toContain(`"small" is 0.01 EUR a day`);
    expect(second.body.detail).toContain(`resets at ${midnight}T00:00:00.000Z`);
    const spent = async () =>
      ((await send("GET")).body.data as { id: string; spent: number }[]).find((one) => one.id === id)!.spent;
    expect(await spent()).toBe(0.0092);
    const canceled = `/api/v1/hub/generations/${first.body.id as string}/cancel`;
    expect((await callApi(host, "POST", canceled, { key })).status).toBe(200);
    expect(await spent()).toBe(0);
    expect((await callApi(host, "POST", "/api/v1/hub/generations", { key, body: picture })).status).toBe(202);
  });

  test("a change of name, expiry and models applies to the next request, and what is not sent stays", async () => {
    const { key, id } = await make({ name: "old", allowed_models: ["sandbox-image"] });
    const models = async () =>
      ((await callApi(host, "GET", "/api/v1/hub/models", { key })).body.data as { id: string }[]).map(({ id }) => id);
    const change = (body: object) => send("PATCH", `${KEYS}/${id}`, { body });
    expect(await models()).toEqual(["sandbox-image"]);
    const chat = { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] };
    for (const reply of [
      await callApi(host, "POST", "/api/v1/hub/chat/completions", { key, body: chat }),
      await callApi(host, "GET", "/api/v1/hub/models/sandbox-text", { key }),
      await callApi(host, "POST", "/api/v1/hub/models/sandbox-text/pricing", { key, body: { input: {} } }),
    ])
      expect(reply.status).toBe(404);
    expect((await change({ name: "new", allowed_models: ["sandbox-text"] })).body).toMatchObject({
      name: "new",
      allowed_models: ["sandbox-text"],
      spend_limit: null,
    });
    expect(await models()).toEqual(["sandbox-text"]);
    const rejected = await callApi(host, "POST", "/api/v1/hub/generations", { key, body: picture });
    expect(rejected.body).toMatchObject({ code: "model_not_found", detail: "This API key may not use this model." });
    const expires_at = new Date(host.hub.now().getTime() + 3_600_000).toISOString();
    expect((await change({ expires_at, allowed_models: null })).body).toMatchObject({ name: "new", expires_at });
    expect((await models()).length).toBeGreaterThan(2);
    expect((await change({ expires_at: null })).body).toMatchObject({ expires_at: null });
    expect((await change({})).body).toMatchObject({ name: "new", allowed_models: null });
  });

  test("a paused key is rejected at once on every instance, and works again when it is resumed", async () => {
    const { key, id } = await make({ name: "paused" });
    const change = (paused: boolean) => send("PATCH", `${KEYS}/${id}`, { body: { paused } });
    const paused = (await change(true)).body;
    expect(paused.paused_at).toMatch(/Z$/);
    expect((await change(true)).body.paused_at).toBe(paused.paused_at);
    for (const other of hosts)
      expect((await callApi(other, "GET", "/api/v1/me", { key })).body).toMatchObject({
        code: "unauthorized",
        detail: "This API key is paused. Resume it in the console.",
      });
    expect((await change(false)).body.paused_at).toBeNull();
    for (const other of hosts) expect((await callApi(other, "GET", "/api/v1/me", { key })).status).toBe(200);
  });

  test("a rotation returns a new secret, and the old one is valid until its grace period ends", async () => {
    const { key, id, prefix } = await make({ name: "rotated" });
    const rotate = (grace_hours: unknown) => send("POST", `${KEYS}/${id}/rotate`, { body: { grace_hours } });
    const me = async (secret: string) => (await callApi(host, "GET", "/api/v1/me", { key: secret })).body;
    const first = (await rotate(24)).body as Record<string, string>;
    expect(first).toMatchObject({ id, name: "rotated", prefix: first.key!.slice(0, 17), previous_prefix: prefix });
    expect(await me(key!)).toMatchObject({ key: { prefix } });
    expect(await me(first.key!)).toMatchObject({ key: { prefix: first.prefix } });
    expect((await rotate(1)).body).toMatchObject({ status: 409, code: "invalid_state" });
    expect((await rotate(2)).body).toMatchObject({ errors: { grace_hours: ["must be 0, 1 or 24"] } });
    const second = (await rotate(0)).body as Record<string, string>;
    expect(await me(second.key!)).toMatchObject({ key: { prefix: second.prefix } });
    expect(await me(first.key!)).toMatchObject({ detail: "This secret was replaced when its API key was rotated." });
    expect(await me(key!)).toMatchObject({ code: "unauthorized" });
    expect(JSON.stringify((await send("GET")).body)).not.toContain(second.key);
    expect((await send("DELETE", `${KEYS}/${id}`)).status).toBe(204);
    expect(await me(second.key!)).toMatchObject({ detail: "This API key is revoked." });
    expect((await rotate(0)).body).toMatchObject({ code: "resource_not_found" });
    expect((await send("PATCH", `${KEYS}/${id}`, { body: { name: "x" } })).body.code).toBe("resource_not_found");
  });

  test("signing out everywhere ends all sessions at once", async () => {
    const mine = await newCustomer(host.hub);
    const sessions = [await sessionHeaders(host.hub, mine.account), await sessionHeaders(host.hub, mine.account)];
    const answers = () =>
      Promise.all(sessions.map(async (sent) => (await callApi(host, "GET", KEYS, { headers: sent })).status));
    expect(await answers()).toEqual([200, 200]);
    await signOutEverywhere(host.hub, (await getPerson(host.hub, mine.email)).id);
    expect(await answers()).toEqual([401, 401]);
  });
});

test("a session ends after its maximum age, and after a week without a request", async () => {
  const host = hosts[0]!;
  const { account } = await newCustomer(host.hub);
  const status = async (seconds: number, seen: number) => {
    const now = Math.floor(host.hub.now().getTime() / 1000);
    const cookie = await sessionCookie(host.hub, account, { began: now - seconds, seen: now - seen });
    return (await callApi(host, "GET", KEYS, { headers: { cookie, "x-requested-with": "XMLHttpRequest" } })).status;
  };
  expect(await status(MAX_SESSION_S - 60, MAX_IDLE_S - 60)).toBe(200);
  expect(await status(MAX_SESSION_S + 60, 0)).toBe(401);
  expect(await status(MAX_IDLE_S + 60, MAX_IDLE_S + 60)).toBe(401);
  const headers = await sessionHeaders(host.hub, account);
  host.hub.clock.advance((MAX_IDLE_S + 60) * 1000);
  expect((await callApi(host, "GET", KEYS, { headers })).status).toBe(401);
});

test("a suspended account's session ends", async () => {
  const host = hosts[0]!;
  const { account } = await newCustomer(host.hub);
  const headers = await sessionHeaders(host.hub, account);
  await host.hub.db.query("UPDATE account SET suspended = true WHERE id = $1", [account]);
  expect((await callApi(host, "GET", KEYS, { headers })).status).toBe(401);
});

test("rejects an expired key", async () => {
  const host = hosts[0]!;
  const { account } = await newCustomer(host.hub);
  const headers = await sessionHeaders(host.hub, account);
  const expires_at = new Date(host.hub.now().getTime() + 60_000).toISOString();
  const { key } = (await callApi(host, "POST", KEYS, { headers, body: { name: "brief", expires_at } })).body as {
    key: string;
  };
  expect((await callApi(host, "GET", "/api/v1/me", { key })).status).toBe(200);
  host.hub.clock.advance(61_000);
  expect((await callApi(host, "GET", "/api/v1/me", { key })).status).toBe(401);
});

test("a rotated secret is rejected when its grace period ends", async () => {
  const host = hosts[0]!;
  const { account, key, keyId } = await newCustomer(host.hub);
  const headers = await sessionHeaders(host.hub, account);
  const status = async (secret: string) => (await callApi(host, "GET", "/api/v1/me", { key: secret })).status;
  const body = { grace_hours: 1 };
  const rotated = (await callApi(host, "POST", `${KEYS}/${keyId}/rotate`, { headers, body })).body as { key: string };
  expect(await status(key)).toBe(200);
  host.hub.clock.advance(3_601_000);
  expect([await status(key), await status(rotated.key)]).toEqual([401, 200]);
  expect((await callApi(host, "POST", `${KEYS}/${keyId}/rotate`, { headers, body })).status).toBe(200);
});

test("key management has its own rate limit", async () => {
  const host = await openOwnHost({ RATE_LIMIT_KEYS_PER_MINUTE: "3" });
  const { account, key } = await newCustomer(host.hub);
  const headers = await sessionHeaders(host.hub, account);
  const replies = [];
  for (let count = 0; count < 4; count += 1) replies.push(await callApi(host, "GET", KEYS, { headers }));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(replies[0]!.headers.get("ratelimit-policy")).toBe('"keys";q=3;w=60');
  expect(Number(replies[3]!.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect((await callApi(host, "GET", "/api/v1/me", { key })).status).toBe(200);
});
