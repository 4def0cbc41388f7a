import { beforeAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { pullBackTimes } from "../../server/domain/generations/run";
import { endLostChat } from "../../server/domain/generations/run/chat-lease";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openChatHost, userMessages } from "./host";
import { createLimitedRoutes } from "./limited-routes";
import { breakMidway, errorBody, holdNext, resetConnection, respondWith } from "./upstream";

const host = await openChatHost({ RATE_LIMIT_WRITES_PER_MINUTE: "100000", EUR_PER_USD: "1" });
const { hub, upstream } = host;
let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(hub);
});

const { offer, attemptsOf, newest, spentOf } = createLimitedRoutes(
  hub,
  upstream.url,
  `id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }`,
);

const chat = (body: Record<string, unknown> = {}) =>
  host.chat(customer.key, { messages: userMessages("hello"), ...body });
const audit = async () => (await runAudit(hub.db)).violations;

test("chats never exceed max_in_flight, and a full provider is passed over", async () => {
  const [first, second] = offer({ settings: "max_in_flight: 2" }, {});
  const holds = [holdNext(upstream), holdNext(upstream)];
  const running = [chat(), chat()];
  await expect.poll(async () => (await attemptsOf(first!)).filter(({ outcome }) => outcome === null)).toHaveLength(2);
  const others = await Promise.all(Array.from({ length: 5 }, () => chat()));
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await newest()).toMatchObject([{ n: 1, route: `${second}:up-1`, skipped: ["at_capacity"] }]);
  for (const release of holds) release();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await attemptsOf(first!)).map(({ outcome }) => outcome)).toEqual(["succeeded", "succeeded"]);
  expect((await chat()).status).toBe(200);
  expect(await attemptsOf(first!)).toHaveLength(3);
  expect(await audit()).toEqual([]);
});

test("without another route, a chat at a full provider gets 503 and costs nothing", async () => {
  const [only] = offer({ settings: "per_minute: 1" });
  expect((await chat()).status).toBe(200);
  const { status, headers } = await chat();
  expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await attemptsOf(only!)).toHaveLength(1);
  expect(await audit()).toEqual([]);
});

test("a chat counts its hold towards the spend limit until it ends, then its cost", async () => {
  const [only] = offer({ settings: "spend_limit_usd: 0.003" });
  const release = holdNext(upstream);
  const running = chat();
  await expect.poll(() => spentOf(only!)).toBeGreaterThan(2_000_000n);
  expect((await chat()).status).toBe(503);
  release();
  expect((await running).status).toBe(200);
  const [attempt] = await attemptsOf(only!);
  expect(attempt!.cost).toBeLessThan(1_000_000n);
  expect(await spentOf(only!)).toBe(attempt!.cost);
  expect((await chat()).status).toBe(200);
  expect(await audit()).toEqual([]);
});

test("a call that was refused gives its place back before the next route answers", async () => {
  const [first, second] = offer({ settings: "max_in_flight: 1, spend_limit_usd: 1" }, { settings: "max_in_flight: 1" });
  upstream.respondNext(respondWith(401, errorBody("bad key")));
  const release = holdNext(upstream);
  const running = chat();
  await expect.poll(async () => (await attemptsOf(second!)).length).toBe(1);
  expect((await attemptsOf(first!)).map(({ outcome }) => outcome)).toEqual(["refused"]);
  expect(await spentOf(first!)).toBe(0n);
  release();
  expect((await running).status).toBe(200);
  expect((await newest()).map(({ n, outcome }) => [n, outcome])).toEqual([
    [1, "refused"],
    [2, "succeeded"],
  ]);
  expect(await audit()).toEqual([]);
});

test("a streamed chat holds its place until it ends", async () => {
  const [only] = offer({ settings: "max_in_flight: 1" });
  const release = holdNext(upstream);
  const body = { model: "talk", messages: userMessages("hello"), stream: true };
  const running = callApi(host, "POST", "/v1/chat/completions", { key: customer.key, body });
  await expect.poll(async () => (await attemptsOf(only!)).length).toBe(1);
  expect((await chat()).status).toBe(503);
  release();
  await running;
  await expect.poll(async () => (await attemptsOf(only!))[0]!.outcome).not.toBeNull();
  expect((await chat()).status).toBe(200);
});

test("the sweep gives back the place of a chat whose process was killed, and counts what it may have cost", async () => {
  const [only] = offer({ settings: "max_in_flight: 1, spend_limit_usd: 1" });
  const release = holdNext(upstream);
  const running = chat();
  await expect.poll(async () => (await attemptsOf(only!)).length).toBe(1);
  const [{ id } = { id: "" }] = await hub.db.query<{ id: string }>(
    "SELECT id FROM generation WHERE status = 'running'",
  );
  expect(await endLostChat(hub, id)).toBe(true);
  const [lost] = await attemptsOf(only!);
  expect(lost).toMatchObject({ outcome: "lost", cost: null });
  expect(await spentOf(only!)).toBe(lost!.budget_cost);
  release();
  expect((await running).status).toBe(503);
  expect((await chat()).status).toBe(200);
  expect(await audit()).toEqual([]);
  await pullBackTimes(hub);
});

test.each([
  ["", 503, ["failed"]],
  ["on_error: next", 200, ["failed", "succeeded"]],
])("after a 500, a route with %j ends with %i", async (route, status, outcomes) => {
  offer({ route }, {});
  upstream.respondNext(respondWith(500, errorBody("boom")));
  expect((await chat()).status).toBe(status);
  expect((await newest()).map(({ outcome }) => outcome)).toEqual(outcomes);
});

test("a lost answer is never bought again unless its route says so, and then once", async () => {
  offer({}, {});
  upstream.respondNext(resetConnection);
  expect((await chat()).status).toBe(503);
  expect((await newest()).map(({ outcome }) => outcome)).toEqual(["failed"]);

  const retry = { route: "on_unknown: retry", settings: "spend_limit_usd: 1" };
  const [first, second] = offer(retry, retry, retry);
  const before = await runAudit(hub.db);
  const [{ balance } = { balance: 0n }] = await hub.db.query<{ balance: bigint }>(
    "SELECT balance FROM account WHERE id = $1",
    [customer.account],
  );
  upstream.respondNext(breakMidway);
  const { status, body } = await chat();
  expect(status).toBe(200);
  expect((await newest()).map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ["lost", "order"],
    ["succeeded", "bought_again"],
  ]);
  // Both attempts count against the limits of their providers, and the customer is charged once.
  const [lost] = await attemptsOf(first!);
  expect(await spentOf(first!)).toBe(lost!.budget_cost);
  expect(await spentOf(second!)).toBe((await attemptsOf(second!))[0]!.cost);
  const [after] = await hub.db.query<{ balance: bigint }>("SELECT balance FROM account WHERE id = $1", [
    customer.account,
  ]);
  expect(Number(balance - after!.balance) / 1e9).toBeCloseTo((body.usage as { cost: number }).cost, 12);

  upstream.respondNext(breakMidway, resetConnection);
  expect((await chat()).status).toBe(503);
  expect((await newest()).map(({ outcome }) => outcome)).toEqual(["lost", "failed"]);
  const end = await runAudit(hub.db);
  expect([end.bought_again - before.bought_again, end.lost - before.lost, end.violations]).toEqual([2, 2, []]);
});

test("a conversation stays with the key that served it", async () => {
  offer({ settings: 'api_keys: ["\${OPENAI_A}", "\${OPENAI_B}"]' });
  const used = new Set<string>();
  for (let n = 0; n < 12; n += 1) {
    const first = { role: "user", content: `conversation ${n}` };
    await chat({ messages: [first] });
    const key = upstream.requests.at(-1)!.headers.authorization!;
    used.add(key);
    for (let turn = 1; turn < 4; turn += 1) {
      const turns = Array.from({ length: turn }, () => [
        { role: "assistant", content: "yes" },
        { role: "user", content: "go on" },
      ]);
      await chat({ messages: [first, ...turns.flat()], prompt_cache_key: undefined });
      if (turn > 1)
        expect(upstream.requests.at(-1)!.headers.authorization).toBe(upstream.requests.at(-2)!.headers.authorization);
    }
    expect((await newest())[0]!.reason).toBe("sticky");
  }
  expect(used.size).toBe(2);
});
