import { beforeEach, expect, onTestFinished, test } from "vitest";
import { callAdmin, newProgram } from "../admin/program";
import { connectApp } from "../mcp/connect-app";
import { callApi } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const host = await openOwnHost({
  RATE_LIMIT_READS_PER_MINUTE: "30",
  RATE_LIMIT_WRITES_PER_MINUTE: "6",
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "5",
  TRUSTED_PROXIES: "127.0.0.1",
});
const me = ({ key }: Customer) => callApi(host, "GET", "/api/v1/me", { key });
const create = ({ key }: Customer, body: unknown = {}) =>
  callApi(host, "POST", "/api/v1/hub/generations", { key, body });
const secondsOf = (reply: { headers: Headers }) => Number(reply.headers.get("retry-after"));

let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(host.hub);
});

test("every authenticated response has the rate limit headers, even an error", async () => {
  const first = await me(customer);
  expect(first.headers.get("ratelimit-policy")).toBe('"reads";q=30;w=60');
  expect(first.headers.get("ratelimit")).toBe('"reads";r=29');
  const rejected = await create(customer);
  expect(rejected.status).toBe(400);
  expect(rejected.headers.get("ratelimit-policy")).toBe('"writes";q=6;w=60');
  expect(rejected.headers.get("ratelimit")).toBe('"writes";r=5');
  expect((await callApi(host, "GET", "/api/v1/me")).headers.get("ratelimit")).toBeNull();
});

test("counts requests that a valid credential does not allow", async () => {
  onTestFinished(host.hub.clock.freeze());
  const app = await connectApp(host.hub, customer);
  const auditor = await newProgram(host.hub, { role: "auditor" });
  const rejections = [
    // Not with `callApi`, because the document does not list the 403 of apps.
    () => fetch(`${host.url}/api/v1/hub/batches`, { method: "POST", headers: { authorization: `Bearer ${app.key}` } }),
    () => callAdmin(host, auditor, "POST", "accounts", { body: {} }),
  ];
  for (const send of rejections) {
    for (let remaining = 5; remaining >= 0; remaining -= 1) {
      const { status, headers } = await send();
      expect([status, headers.get("ratelimit")]).toEqual([403, expect.stringContaining(`"writes";r=${remaining}`)]);
    }
    expect((await send()).status).toBe(429);
  }
});

test("responds with 429 when the limit is reached, and accepts a request after Retry-After", async () => {
  for (let n = 0; n < 6; n += 1) expect((await create(customer)).status).toBe(400);
  const rejected = await create(customer, "not even JSON");
  expect(rejected.body).toMatchObject({ code: "rate_limited", status: 429 });
  const wait = secondsOf(rejected);
  expect(Number.isInteger(wait) && wait >= 1 && wait <= 10).toBe(true);
  expect(rejected.headers.get("ratelimit")).toBe(`"writes";r=0;t=${wait}`);
  host.hub.clock.advance(wait * 1_000);
  expect((await create(customer)).status).toBe(400);
});

test("reads, writes and accounts have separate limits", async () => {
  for (let n = 0; n < 7; n += 1) await create(customer);
  expect((await create(customer)).status).toBe(429);
  expect((await me(customer)).status).toBe(200);
  expect((await create(await newCustomer(host.hub))).status).toBe(400);
});

test("after too many failed authentications an address gets 429 instead of 401, and valid keys still work", async () => {
  const fail = (address: string) =>
    callApi(host, "GET", "/api/v1/me", { key: "garbage", headers: { "x-forwarded-for": address } });
  for (let n = 0; n < 5; n += 1) expect((await fail("192.0.2.1")).status).toBe(401);
  const rejected = await fail("192.0.2.1");
  expect(rejected.body).toMatchObject({ code: "rate_limited", status: 429 });
  expect((await fail("192.0.2.2")).status).toBe(401);
  const good = await callApi(host, "GET", "/api/v1/me", {
    key: customer.key,
    headers: { "x-forwarded-for": "192.0.2.1" },
  });
  expect(good.status).toBe(200);
  host.hub.clock.advance(secondsOf(rejected) * 1_000);
  expect((await fail("192.0.2.1")).status).toBe(401);
});

test("counts a whole IPv6 network as one address", async () => {
  const fail = (host64: string, n: number) =>
    callApi(host, "GET", "/api/v1/me", {
      key: "garbage",
      headers: { "x-forwarded-for": `2001:db8:0:${host64}::${n}` },
    });
  for (let n = 1; n <= 5; n += 1) expect((await fail("1", n)).status).toBe(401);
  expect((await fail("1", 6)).status).toBe(429);
  expect((await fail("2", 1)).status).toBe(401);
});
