import { afterAll, beforeAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { endLostChat } from "../../server/domain/generations/run/chat-lease";
import { type Customer, newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { createLimitedRoutes } from "../chat/limited-routes";
import { breakMidway, errorBody, holdNext, openUpstream, respondWith } from "../chat/upstream";

const embed = respondWith(200, { data: [{ index: 0, embedding: [0.5, 1] }], usage: { prompt_tokens: 7 } });
const upstream = await openUpstream(0, embed);
const host = await openOwnHost({ EUR_PER_USD: "1" });
const { hub } = host;
let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(hub);
});
afterAll(() => upstream.close());

// A request of one text holds 1000 tokens and uses 7, each of a millionth of a euro.
const { offer, attemptsOf, newest, spentOf } = createLimitedRoutes(
  hub,
  upstream.url,
  `id: embed
    output_modalities: [embedding]
    llm: { input_cost_per_million: 1, output_cost_per_million: 0, context_length: 1000, max_output_tokens: 1 }`,
);
const HOLD = 1_000_000n;
const COST = 7_000n;
const send = () =>
  fetch(`${host.url}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "embed", input: "a".repeat(2_000) }),
  });
const audit = async () => (await runAudit(hub.db)).violations;

test("embeddings never exceed max_in_flight, and a full provider is passed over", async () => {
  const [first, second] = offer({ settings: "max_in_flight: 2" }, {});
  const holds = [holdNext(upstream, embed), holdNext(upstream, embed)];
  const running = [send(), send()];
  await expect.poll(async () => (await attemptsOf(first!)).filter(({ outcome }) => outcome === null)).toHaveLength(2);
  const others = await Promise.all(Array.from({ length: 5 }, send));
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await newest()).toMatchObject([{ n: 1, route: `${second}:up-1`, skipped: ["at_capacity"] }]);
  for (const release of holds) release();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await attemptsOf(first!)).map(({ outcome }) => outcome)).toEqual(["succeeded", "succeeded"]);
  expect((await send()).status).toBe(200);
  expect(await attemptsOf(first!)).toHaveLength(3);
  expect(await audit()).toEqual([]);
});

test("without another route, embeddings at a full provider get 503 and cost nothing", async () => {
  const [only] = offer({ settings: "per_minute: 1" });
  expect((await send()).status).toBe(200);
  const { status, headers } = await send();
  expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await attemptsOf(only!)).toHaveLength(1);
  expect(await audit()).toEqual([]);
});

test("they count their hold towards the spend limit until they end, then what their route costs", async () => {
  const cost = "llm_cost: { input_cost_per_million: 0.5, output_cost_per_million: 0 }";
  const [only] = offer({ settings: "spend_limit_usd: 0.0015", route: cost });
  const release = holdNext(upstream, embed);
  const running = send();
  await expect.poll(() => spentOf(only!)).toBe(HOLD);
  expect((await send()).status).toBe(503);
  release();
  expect((await running).status).toBe(200);
  expect(await spentOf(only!)).toBe(COST / 2n);
  expect((await attemptsOf(only!))[0]!.cost).toBe(COST / 2n);
  expect((await send()).status).toBe(200);
  expect(await audit()).toEqual([]);
});

test("a refused call gives its place back, and a lost one is bought again only where its route says so", async () => {
  const [first, second] = offer({ settings: "max_in_flight: 1, spend_limit_usd: 1" }, { settings: "max_in_flight: 1" });
  upstream.respondNext(respondWith(401, errorBody("bad key")));
  expect((await send()).status).toBe(200);
  expect((await attemptsOf(first!)).map(({ outcome }) => outcome)).toEqual(["refused"]);
  expect(await spentOf(first!)).toBe(0n);
  expect(await attemptsOf(second!)).toHaveLength(1);

  offer({}, {});
  upstream.respondNext(breakMidway);
  expect((await send()).status).toBe(503);
  const [lost] = offer({ route: "on_unknown: retry", settings: "spend_limit_usd: 1" }, {});
  upstream.respondNext(breakMidway);
  expect((await send()).status).toBe(200);
  expect((await newest()).map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ["lost", "order"],
    ["succeeded", "bought_again"],
  ]);
  expect(await spentOf(lost!)).toBe(HOLD);
  expect(await audit()).toEqual([]);
});

test("the sweep gives back the place of embeddings whose process was killed, and counts what they may have cost", async () => {
  const [only] = offer({ settings: "max_in_flight: 1, spend_limit_usd: 1" });
  const release = holdNext(upstream, embed);
  const running = send();
  await expect.poll(async () => (await attemptsOf(only!)).length).toBe(1);
  const [{ id } = { id: "" }] = await hub.db.query<{ id: string }>(
    "SELECT id FROM generation WHERE status = 'running'",
  );
  expect(await endLostChat(hub, id)).toBe(true);
  expect(await attemptsOf(only!)).toMatchObject([{ outcome: "lost", cost: null }]);
  expect(await spentOf(only!)).toBe(HOLD);
  release();
  expect((await running).status).toBe(503);
  expect((await send()).status).toBe(200);
  expect(await audit()).toEqual([]);
});
