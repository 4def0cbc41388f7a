import { describe, expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { changeKey } from "../../server/domain/ledger/change-key";
import { revokeKey } from "../../server/domain/keys/key";
import { rotateKey } from "../../server/domain/keys/rotate";
import { countRejected } from "../../server/domain/rejections/count-rejected";
import { MAX_STORED_PER_MINUTE, purgeRejected } from "../../server/domain/rejections/rejection-log";
import { createRejectionServices } from "../../server/domain/rejections";
import { listRequests } from "../../server/domain/requests";
import { newId } from "../../server/lib/id";
import { sessionHeaders } from "../session";
import { callApi } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openHosts, openOwnHost } from "./hosts";

const hosts = await openHosts();

const contextFor = (hub: (typeof hosts)[number]["hub"], { account, email }: Customer) =>
  contextOf(hub, { id: account, email, member: false, balance: 0n, reserved: 0n }, { kind: "user" }, "test");

describe.each(hosts)("rejected requests on $name", ({ hub, ...host }) => {
  const call = (key: string, method: string, path: string, request: object = {}) =>
    callApi({ hub, ...host }, method, path, { key, ...request });

  test("are stored for the account of the key with id, route, status, code and message, and without a body", async () => {
    const customer = await newCustomer(hub, { credit: 0 });
    const ctx = contextFor(hub, customer);
    const list = async (filters: object = {}) => {
      await hub.services.rejectionLog.flush();
      return (await listRequests(ctx, { limit: 50, ...filters })).data;
    };
    const generations = "/api/v1/hub/generations";
    const picture = { model: "sandbox-image", input: { prompt: "a secret prompt" } };
    const broke = await call(customer.key, "POST", generations, { body: picture });
    const requestId = "my-own-request-id";
    await call(customer.key, "GET", `${generations}/none?token=private`, { headers: { "x-request-id": requestId } });
    await call(customer.key, "GET", "/api/v1/me");
    await call("service_sk_unknown", "GET", "/api/v1/me");
    // Another process writes what it has recorded within a second.
    await expect.poll(async () => (await list()).length).toBe(2);
    const stored = await list();
    expect(stored.map(({ code, status, method, path }) => [code, status, method, path])).toEqual([
      ["generation_not_found", 404, "GET", `${generations}/none`],
      ["insufficient_credits", 402, "POST", generations],
    ]);
    expect(stored[1]).toMatchObject({
      request_id: broke.headers.get("x-request-id"),
      message: broke.body.detail as string,
      key_id: customer.keyId,
      key_name: "test",
    });
    expect(JSON.stringify(stored)).not.toMatch(/secret prompt|private/);
    expect(await list({ request_id: requestId })).toMatchObject([{ code: "generation_not_found" }]);
    expect(await list({ code: "insufficient_credits" })).toHaveLength(1);
    expect(await list({ key: customer.keyId })).toHaveLength(2);
    expect(await list({ key: newId() })).toEqual([]);
    const today = hub.now().toISOString().slice(0, 10);
    expect(await list({ from: today, to: today })).toHaveLength(2);
    expect(await list({ to: "2020-01-01" })).toEqual([]);
    expect(await countRejected(ctx, customer.keyId)).toEqual({ count: 2, isMore: false });
    const otherAccount = contextFor(hub, await newCustomer(hub));
    expect((await listRequests(otherAccount, { limit: 50, key: customer.keyId })).data).toEqual([]);
    expect(await countRejected(otherAccount, customer.keyId)).toEqual({ count: 0, isMore: false });
    const page = await listRequests(ctx, { limit: 1 });
    const next = await listRequests(ctx, { limit: 1, cursor: page.next_cursor! });
    expect([...page.data, ...next.data]).toEqual(stored);
    expect(next.next_cursor).toBeNull();
  });

  test("of a paused, replaced or revoked key belong to its account", async () => {
    const customer = await newCustomer(hub);
    const ctx = contextFor(hub, customer);
    await changeKey(ctx, customer.keyId, { paused: true });
    await call(customer.key, "GET", "/api/v1/me");
    await rotateKey(ctx, customer.keyId, 0);
    await call(customer.key, "GET", "/api/v1/me");
    await revokeKey(ctx, customer.keyId);
    await call(customer.key, "GET", "/api/v1/me");
    const list = async () => {
      await hub.services.rejectionLog.flush();
      return (await listRequests(ctx, { limit: 10 })).data;
    };
    await expect.poll(async () => (await list()).length).toBe(3);
    const data = await list();
    expect(data.map(({ message }) => message)).toEqual([
      "This API key is revoked.",
      "This secret was replaced when its API key was rotated.",
      "This API key is paused. Resume it in the console.",
    ]);
  });
});

test("a flood stores a bounded number of rows for each account and minute, in all processes together, and counts the others", async () => {
  const { hub } = await openOwnHost();
  const [customer, other] = [await newCustomer(hub), await newCustomer(hub)];
  const logs = [createRejectionServices(hub).rejectionLog, createRejectionServices(hub).rejectionLog];
  const reject = ({ account, keyId }: Customer) => ({
    accountId: account,
    keyId,
    requestId: newId(),
    method: "GET",
    path: `/${"x".repeat(1_000)}`,
    status: 429,
    code: "rate_limited",
    message: `a\0b\ud800${"y".repeat(1_000)}`,
  });
  const total = 4 * MAX_STORED_PER_MINUTE;
  // Both processes count from the same minute.
  hub.clock.advance(60_000 - (hub.now().getTime() % 60_000) + 1);
  for (let count = 0; count < total; count += 1) logs[count % 2]!.record(reject(customer));
  logs[0]!.record(reject(other));
  await Promise.all(logs.map((log) => log.flush()));
  for (const log of logs) log.record(reject(customer));
  await Promise.all(logs.map((log) => log.flush()));
  const page = await listRequests(contextFor(hub, customer), { limit: 1_000 });
  expect(page.data).toHaveLength(MAX_STORED_PER_MINUTE);
  expect(page.dropped).toBe(total + 2 - MAX_STORED_PER_MINUTE);
  expect(page.data[0]!.path).toHaveLength(300);
  expect(page.data[0]!.message).toMatch(/^ab\ufffdy+$/);
  expect(await listRequests(contextFor(hub, other), { limit: 10 })).toMatchObject({ data: [{}], dropped: 0 });

  hub.clock.advance(60_000);
  logs[0]!.record(reject(customer));
  await logs[0]!.flush();
  expect((await listRequests(contextFor(hub, customer), { limit: 1_000 })).data).toHaveLength(
    MAX_STORED_PER_MINUTE + 1,
  );
  hub.clock.advance(7 * 86_400_000 - 60_000);
  await purgeRejected(hub, 1_000);
  const left = await listRequests(contextFor(hub, customer), { limit: 1_000 });
  expect([left.data.length, left.dropped]).toEqual([1, 0]);
});

test("requests are answered while rejected ones cannot be stored", async () => {
  const { hub, ...host } = await openOwnHost();
  const { key } = await newCustomer(hub);
  await hub.db.query("DROP TABLE rejected_request");
  const reply = await callApi({ hub, ...host }, "GET", "/api/v1/hub/generations/none", { key });
  expect(reply.body.code).toBe("generation_not_found");
  await expect(hub.services.rejectionLog.flush()).resolves.toBeUndefined();
});

test("requests of the console's session are not stored", async () => {
  const { hub, ...host } = hosts[0]!;
  const customer = await newCustomer(hub);
  const headers = await sessionHeaders(hub, customer.account);
  await callApi({ hub, ...host }, "DELETE", "/api/v1/hub/keys/none", { headers });
  await hub.services.rejectionLog.flush();
  expect((await listRequests(contextFor(hub, customer), { limit: 10 })).data).toEqual([]);
});
