import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningHub } from "../../e2e/server";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { sessionCookie } from "../session";
import { CHAT, userMessages } from "./host";
import { openProcessHub } from "./process-hub";
import { holdNext } from "./upstream";

const { testHub, upstream, start } = await openProcessHub();
let hub: RunningHub;
let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(testHub);
  hub = await start();
});
// Each test begins with the hub that the one before has started.
afterAll(async () => {
  await hub.stop();
});

const chat = (idempotencyKey: string, signal?: AbortSignal) => send({ "idempotency-key": idempotencyKey }, signal);
const retry = (count: number) => send({ "x-stainless-retry-count": String(count) });
const send = (headers: Record<string, string>, signal?: AbortSignal) =>
  fetch(hub.url + CHAT, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "talk", messages: userMessages("hello") }),
    signal,
  });
const chatInConsole = async (signal: AbortSignal) =>
  fetch(`${hub.url}/api/trpc/playground.chat`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: await sessionCookie(testHub, customer.account) },
    body: JSON.stringify({
      json: { idempotencyKey: "one press of a button", model: "talk", messages: userMessages("hello") },
    }),
    signal,
  });
const latestChat = async () => {
  const [row] = await testHub.db.query<{ status: string; billed_cost: bigint | null }>(
    "SELECT status, billed_cost FROM generation ORDER BY id DESC LIMIT 1",
  );
  return row;
};
const held = () => holdNext(upstream);

test("a stop waits for chats of connected clients, and of disconnected ones over REST and from the console", async () => {
  const [openOne, openOther, openThird] = [held(), held(), held()];
  const connected = chat("there");
  await expect.poll(() => upstream.requests.length).toBe(1);
  const client = new AbortController();
  const disconnected = chat("gone", client.signal).catch(() => null);
  await expect.poll(() => upstream.requests.length).toBe(2);
  const disconnectedConsole = chatInConsole(client.signal).catch(() => null);
  await expect.poll(() => upstream.requests.length).toBe(3);
  client.abort();
  await Promise.all([disconnected, disconnectedConsole]);
  const stopped = hub.stop();
  openOne();
  expect((await connected).status).toBe(200);
  openOther();
  const unsettled = async () => (await testHub.db.query("SELECT FROM generation WHERE status = 'running'")).length;
  await expect.poll(unsettled).toBe(1);
  openThird();
  expect(await stopped).toBe(0);
  expect(await latestChat()).toMatchObject({ status: "succeeded" });

  hub = await start();
  for (const key of ["there", "gone"]) expect((await chat(key)).headers.get("idempotent-replayed")).toBe("true");
  expect(upstream.requests.length).toBe(3);
});

test("after kill -9 the sweep ends the chat, releases its hold and frees its key", async () => {
  held();
  const requestCount = upstream.requests.length;
  const lost = chat("killed").catch(() => null);
  await expect.poll(() => upstream.requests.length).toBe(requestCount + 1);
  expect((await latestChat())?.status).toBe("running");
  await hub.kill9();
  expect(await lost).toBeNull();
  // Simulates the minute after which a chat without renewals is ended.
  await testHub.db.query(
    "UPDATE generation SET deadline_at = deadline_at - interval '1 minute' WHERE status = 'running'",
  );
  hub = await start();
  await expect.poll(latestChat).toEqual({ status: "failed", billed_cost: 0n });
  const again = await chat("killed");
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
  expect(await runAudit(testHub.db)).toMatchObject({ violations: [], reserved: 0 });
});

test("after kill -9 a retry gets the failure of the chat that it repeats, and the next one is charged once", async () => {
  held();
  const requestCount = upstream.requests.length;
  const client = new AbortController();
  const abandoned = send({}, client.signal).catch(() => null);
  await expect.poll(() => upstream.requests.length).toBe(requestCount + 1);
  client.abort();
  await abandoned;
  const joinableAt = async () => {
    const [row] = await testHub.db.query<{ at: Date | null }>(
      "SELECT joinable_at AS at FROM generation ORDER BY id DESC LIMIT 1",
    );
    return row!.at?.getTime() ?? 0;
  };
  const lost = retry(1).catch(() => null);
  await expect.poll(joinableAt).toBeGreaterThan(Date.now());
  await hub.kill9();
  expect(await lost).toBeNull();
  // Simulates the minute after which neither the chat nor the retry's claim is valid.
  await testHub.db.query(`
    UPDATE generation SET deadline_at = deadline_at - interval '1 minute', joinable_at = joinable_at - interval '1 minute'
    WHERE status = 'running'`);
  hub = await start();
  const failed = await retry(2);
  expect([failed.status, failed.headers.get("idempotent-replayed")]).toEqual([503, "true"]);
  await expect.poll(joinableAt).toBe(0);
  const again = await retry(3);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
  expect(await latestChat()).toMatchObject({ status: "succeeded" });
  expect(upstream.requests.length).toBe(requestCount + 2);
  expect(await runAudit(testHub.db)).toMatchObject({ violations: [], reserved: 0 });
});
