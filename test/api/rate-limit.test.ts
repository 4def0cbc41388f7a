import { beforeEach, expect, test } from "vitest";
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

test("the bucket is told on every authenticated answer, also on a refusal", async () => {
  const first = await me(customer);
  expect(first.headers.get("ratelimit-policy")).toBe('"reads";q=30;w=60');
  expect(first.headers.get("ratelimit")).toBe('"reads";r=29');
  const refused = await create(customer);
  expect(refused.status).toBe(400);
  expect(refused.headers.get("ratelimit-policy")).toBe('"writes";q=6;w=60');
  expect(refused.headers.get("ratelimit")).toBe('"writes";r=5');
  expect((await callApi(host, "GET", "/api/v1/me")).headers.get("ratelimit")).toBeNull();
});

test("an empty bucket is 429, and a request succeeds after Retry-After", async () => {
  for (let n = 0; n < 6; n += 1) expect((await create(customer)).status).toBe(400);
  const refused = await create(customer, "not even JSON");
  expect(refused.body).toMatchObject({ code: "rate_limited", status: 429 });
  const wait = secondsOf(refused);
  expect(Number.isInteger(wait) && wait >= 1 && wait <= 10).toBe(true);
  expect(refused.headers.get("ratelimit")).toBe(`"writes";r=0;t=${wait}`);
  host.hub.clock.advance(wait * 1_000);
  expect((await create(customer)).status).toBe(400);
});

test("reads and writes, and accounts, have their own buckets", async () => {
  for (let n = 0; n < 7; n += 1) await create(customer);
  expect((await create(customer)).status).toBe(429);
  expect((await me(customer)).status).toBe(200);
  expect((await create(await newCustomer(host.hub))).status).toBe(400);
});

test("failed authentications of one address turn from 401 to 429, and good keys still work", async () => {
  const fail = (address: string) =>
    callApi(host, "GET", "/api/v1/me", { key: "garbage", headers: { "x-forwarded-for": address } });
  for (let n = 0; n < 5; n += 1) expect((await fail("192.0.2.1")).status).toBe(401);
  const refused = await fail("192.0.2.1");
  expect(refused.body).toMatchObject({ code: "rate_limited", status: 429 });
  expect((await fail("192.0.2.2")).status).toBe(401);
  const good = await callApi(host, "GET", "/api/v1/me", {
    key: customer.key,
    headers: { "x-forwarded-for": "192.0.2.1" },
  });
  expect(good.status).toBe(200);
  host.hub.clock.advance(secondsOf(refused) * 1_000);
  expect((await fail("192.0.2.1")).status).toBe(401);
});

test("a whole IPv6 network counts as one address", async () => {
  const fail = (host64: string, n: number) =>
    callApi(host, "GET", "/api/v1/me", {
      key: "garbage",
      headers: { "x-forwarded-for": `2001:db8:0:${host64}::${n}` },
    });
  for (let n = 1; n <= 5; n += 1) expect((await fail("1", n)).status).toBe(401);
  expect((await fail("1", 6)).status).toBe(429);
  expect((await fail("2", 1)).status).toBe(401);
});
