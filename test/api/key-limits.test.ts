import { describe, expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { messagesOperations } from "../../server/api/anthropic/openapi";
import { createListener } from "../../server/api/listener";
import { operations } from "../../server/api/openapi";
import { openAiOperations } from "../../server/api/openai/openapi";
import { newSecret } from "../../server/domain/credentials/secret";
import { listRequests } from "../../server/domain/requests";
import { deriveHub } from "../derive-hub";
import { serveRequests } from "../serve-requests";
import { sessionHeaders } from "../session";
import { callApi } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const KEYS = "/api/v1/hub/keys";
const host = await openOwnHost({ TRUSTED_PROXIES: "127.0.0.1,::1", RATE_LIMIT_READS_PER_MINUTE: "40" });
const other = deriveHub(host.hub);
const otherListener = createListener(other);
const otherUrl = await serveRequests((request, response) => void otherListener(request, response));

const me = ({ key }: Pick<Customer, "key">, headers: Record<string, string> = {}, url = host.url) =>
  callApi({ url }, "GET", "/api/v1/me", { key, headers });
const secondsOf = ({ headers }: { headers: Headers }) => Number(headers.get("retry-after"));

describe("requests a minute", () => {
  test("the tightest limit is shown, and a rejected request passes after Retry-After", async () => {
    const customer = await newCustomer(host.hub, { requestsPerMinute: 3 });
    for (const left of [2, 1]) {
      const { headers } = await me(customer);
      expect(headers.get("ratelimit-policy")).toBe('"key-requests";q=3;w=60');
      expect(headers.get("ratelimit")).toBe(`"key-requests";r=${left}`);
    }
    const last = await me(customer);
    expect(last.status).toBe(200);
    expect(last.headers.get("ratelimit")).toMatch(/^"key-requests";r=0;t=\d+$/);
    const rejected = await me(customer, {}, otherUrl);
    expect(rejected.body).toMatchObject({ code: "rate_limited", status: 429 });
    expect(rejected.body.detail).toContain("3 requests a minute");
    const wait = secondsOf(rejected);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(rejected.headers.get("ratelimit")).toBe(`"key-requests";r=0;t=${wait}`);
    host.hub.clock.advance(wait * 1000);
    expect((await me(customer)).status).toBe(200);
  });

  test("parallel requests to two processes pass exactly as often as the limit says", async () => {
    const resume = host.hub.clock.freeze();
    const customer = await newCustomer(host.hub, { requestsPerMinute: 11 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => me(customer, {}, n % 2 ? host.url : otherUrl)),
    );
    resume();
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(11).fill(200),
      ...Array<number>(29).fill(429),
    ]);
  });

  test("a key beyond its limit takes nothing from the account, and the account's limit nothing from the key", async () => {
    const resume = host.hub.clock.freeze();
    const customer = await newCustomer(host.hub, { requestsPerMinute: 1 });
    const headers = await sessionHeaders(host.hub, customer.account);
    const second = await callApi(host, "POST", KEYS, { headers, body: { name: "b", requests_per_minute: 39 } });
    const { key } = second.body as { key: string };
    for (let n = 0; n < 10; n += 1) await me(customer);
    // The account's 40 reads, one of which the first key has used.
    for (let n = 0; n < 39; n += 1) expect((await me({ key })).status).toBe(200);
    const third = await callApi(host, "POST", KEYS, { headers, body: { name: "c", requests_per_minute: 1 } });
    const { key: rejectedKey } = third.body as { key: string };
    const rejected = await me({ key: rejectedKey });
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get("ratelimit")).toMatch(/^"reads";r=0/);
    // The second key has exceeded both limits, and its own resets later.
    const both = await me({ key });
    expect(secondsOf(both)).toBeGreaterThan(secondsOf(rejected));
    resume();
    host.hub.clock.advance(secondsOf(rejected) * 1000);
    expect((await me({ key: rejectedKey })).status).toBe(200);
  });

  test("counts each message of MCP once, and a write beside a read", async () => {
    const customer = await newCustomer(host.hub, { requestsPerMinute: 2 });
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const mcp = () =>
      fetch(`${host.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${customer.key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(list),
      });
    expect((await mcp()).status).toBe(200);
    const body = { model: "sandbox-image", input: { prompt: "a tree" } };
    expect((await callApi(host, "POST", "/api/v1/hub/generations", { key: customer.key, body })).status).toBe(202);
    const rejected = await mcp();
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get("ratelimit")).toMatch(/^"key-requests";r=0/);
  });
});

const OUTSIDE = { "x-forwarded-for": "198.51.100.7" };
const INSIDE = { "x-forwarded-for": "203.0.113.9" };
const keyed = [...operations, ...openAiOperations, ...messagesOperations].filter(({ auth }) =>
  ["key", "key-or-session", "read-file"].includes(auth),
);
const doors = [
  ...keyed.map(({ method, path }) => [method.toUpperCase(), path.replace("{id}", "none")] as const),
  ["POST", "/mcp"] as const,
];

describe("allowed addresses", () => {
  test("every door answers a key from elsewhere as a wrong key, and lets it in from an allowed address", async () => {
    expect(doors.length).toBeGreaterThan(40);
    const customer = await newCustomer(host.hub, { allowedIps: ["203.0.113.0/24", "2001:db8::/32"] });
    const send = async (method: string, path: string, key: string, headers: Record<string, string>) => {
      const sent = { ...headers, authorization: `Bearer ${key}`, "x-request-id": "request-1" };
      const response = await fetch(host.url + path, { method, headers: sent });
      // A stream of events does not end by itself.
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      if (isStream) await response.body!.cancel();
      const shown = [...response.headers].filter(([name]) => name !== "date");
      return { status: response.status, headers: shown, body: isStream ? "" : await response.text() };
    };
    for (const [method, path] of doors) {
      // The first request is valid, so that the process knows the key.
      host.hub.clock.advance(60_000);
      const inside = await send(method, path, customer.key, INSIDE);
      expect(inside.status, `${method} ${path}`).not.toBe(401);
      const outside = await send(method, path, customer.key, OUTSIDE);
      expect(outside.status, `${method} ${path}`).toBe(401);
      expect(outside, `${method} ${path}`).toEqual(await send(method, path, newSecret(), OUTSIDE));
    }
  });

  test.each([
    ["an IPv6 client", "2001:db8:5::1", 200],
    ["a mapped IPv4 client", "::ffff:203.0.113.9", 200],
    ["a mapped IPv4 client in hexadecimal", "::ffff:cb00:7109", 200],
    ["another IPv6 network", "2001:db9::1", 401],
    ["a lie before the proxy's word", "203.0.113.9, 198.51.100.7", 401],
    ["a lie before nonsense that the proxy passes on", "203.0.113.9, unknown", 401],
    ["a lie before an address with a port", "203.0.113.9, 198.51.100.7:4711", 401],
    ["a lie with a mapped address", "::ffff:203.0.113.9, ::ffff:198.51.100.7", 401],
    ["an empty header", "", 401],
  ])("%s (%s) gets %i", async (_case, forwarded, status) => {
    const customer = await newCustomer(host.hub, { allowedIps: ["203.0.113.0/24", "2001:db8::/32"] });
    expect((await me(customer, { "x-forwarded-for": forwarded })).status).toBe(status);
  });

  test("without trusted proxies only the connection's own address counts", async () => {
    const direct = await openOwnHost();
    const customer = await newCustomer(direct.hub, { allowedIps: ["203.0.113.0/24"] });
    expect((await me(customer, INSIDE, direct.url)).status).toBe(401);
    const local = await newCustomer(direct.hub, { allowedIps: ["127.0.0.0/8"] });
    expect((await me(local, {}, direct.url)).status).toBe(200);
  });

  test("tells the owner alone why, not even that a key is revoked, and does not count it as a use", async () => {
    const customer = await newCustomer(host.hub, { allowedIps: ["203.0.113.0/24"] });
    const outside = await me(customer, OUTSIDE);
    expect(outside.body.detail).toBe("This API key is not valid: mistyped, or its account is suspended or closing.");
    const ctx = contextOf(
      host.hub,
      { id: customer.account, email: customer.email, member: false, balance: 0n, reserved: 0n },
      { kind: "user" as const },
      "test",
    );
    await host.hub.services.rejectionLog.flush();
    expect((await listRequests(ctx, { limit: 10 })).data).toMatchObject([
      {
        status: 401,
        code: "unauthorized",
        key_id: customer.keyId,
        message: expect.stringContaining("198.51.100.7") as string,
      },
    ]);
    const headers = await sessionHeaders(host.hub, customer.account);
    const listed = (await callApi(host, "GET", KEYS, { headers })).body.data as { last_used_at: string | null }[];
    expect(listed[0]!.last_used_at).toBeNull();
    await callApi(host, "DELETE", `${KEYS}/${customer.keyId}`, { headers });
    expect((await me(customer, OUTSIDE)).body.detail).toBe(outside.body.detail);
    expect((await me(customer, INSIDE)).body.detail).toBe("This API key is revoked.");
  });

  test("of concurrent requests with one key each is judged by its own address", async () => {
    const customer = await newCustomer(host.hub, { allowedIps: ["203.0.113.0/24"] });
    const sent = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? INSIDE : OUTSIDE));
    const replies = await Promise.all(sent.map((headers) => me(customer, headers)));
    expect(replies.map(({ status }) => status)).toEqual(sent.map((headers) => (headers === INSIDE ? 200 : 401)));
  });
});

describe("limits of a key", () => {
  test("are null by default, are set, changed and removed, and apply to the next request", async () => {
    const { account } = await newCustomer(host.hub);
    const headers = await sessionHeaders(host.hub, account);
    const plain = await callApi(host, "POST", KEYS, { headers, body: { name: "plain" } });
    const none = { requests_per_minute: null, tokens_per_minute: null, allowed_ips: null };
    expect(plain.body).toMatchObject(none);
    const limits = { requests_per_minute: 60, tokens_per_minute: 100_000, allowed_ips: ["203.0.113.0/24", "::1"] };
    const made = await callApi(host, "POST", KEYS, { headers, body: { name: "limited", ...limits } });
    expect(made.body).toMatchObject(limits);
    const { key, id } = made.body as { key: string; id: string };
    expect((await me({ key }, OUTSIDE)).status).toBe(401);
    const change = (body: object) => callApi(host, "PATCH", `${KEYS}/${id}`, { headers, body });
    expect((await change({ name: "same" })).body).toMatchObject(limits);
    expect((await change({ allowed_ips: null, requests_per_minute: 1 })).body).toMatchObject({
      ...limits,
      requests_per_minute: 1,
      allowed_ips: null,
    });
    expect((await me({ key }, OUTSIDE)).status).toBe(200);
    expect((await me({ key }, OUTSIDE)).status).toBe(429);
    expect((await change({ ...none, spend_limit: 5 })).body).toMatchObject({ ...none, spend_limit: 5 });
    expect((await me({ key }, OUTSIDE)).status).toBe(200);
  });

  test("bad input is named by its place", async () => {
    const { account, keyId } = await newCustomer(host.hub);
    const headers = await sessionHeaders(host.hub, account);
    const many = Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`);
    const issues: [object, string][] = [
      [{ requests_per_minute: 0 }, "requests_per_minute"],
      [{ requests_per_minute: 1.5 }, "requests_per_minute"],
      [{ requests_per_minute: "60" }, "requests_per_minute"],
      [{ requests_per_minute: 1_000_001 }, "requests_per_minute"],
      [{ tokens_per_minute: -1 }, "tokens_per_minute"],
      [{ tokens_per_minute: 1_000_000_001 }, "tokens_per_minute"],
      [{ allowed_ips: [] }, "allowed_ips"],
      [{ allowed_ips: "10.0.0.0/8" }, "allowed_ips"],
      [{ allowed_ips: many }, "allowed_ips"],
      [{ allowed_ips: ["10.0.0.0/8", "10.0.0.1/8"] }, "allowed_ips.1"],
      [{ allowed_ips: ["10.0.0.0/8", "::1", "elsewhere"] }, "allowed_ips.2"],
      [{ allowed_ips: [5] }, "allowed_ips.0"],
      [{ allowed_ips: ["1".repeat(100_000)] }, "allowed_ips.0"],
    ];
    for (const [body, place] of issues) {
      for (const [method, path] of [
        ["POST", KEYS],
        ["PATCH", `${KEYS}/${keyId}`],
      ] as const) {
        // prettier-ignore
        const reply = await callApi(host, method, path, { headers, body: { name: "x", ...body } });
        expect(reply.status, JSON.stringify(body).slice(0, 80)).toBe(400);
        expect(Object.keys(reply.body.errors as object)).toEqual([place]);
      }
    }
    expect((await callApi(host, "POST", KEYS, { headers, body: { name: "x", allowed_ips: many.slice(1) } })).status).toBe(201); // prettier-ignore
  });
});
