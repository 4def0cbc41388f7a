import { afterEach, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { purgeJoinable } from "../../server/domain/generations/replay/joinable";
import { type Customer, newCustomer } from "../api/customer";
import { MODEL_YAML, openChatHost } from "../chat/host";
import { createRetryClients } from "../chat/retry-clients";
import { openUpstream, respondWith } from "../chat/upstream";
import { deriveHub } from "../derive-hub";
import { streamWords, takeNext, usageOf } from "../openai/stream-upstream";
import { parseEvents } from "./host";

const host = await openChatHost();
const { hub, upstream, url } = host;
const clients = createRetryClients(host);
afterEach(async () => {
  host.setModels(MODEL_YAML);
  await expect.poll(() => hub.chats.size).toBe(0);
  expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

const DEAR = MODEL_YAML.replace("output_cost_per_million: 2", "output_cost_per_million: 20").replace("1000 }", "128000 }"); // prettier-ignore
const send = (customer: Customer, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": customer.key, ...headers },
    body: JSON.stringify({
      model: "talk",
      max_tokens: 128_000,
      stream: true,
      messages: [{ role: "user", content: "hello" }],
      ...body,
    }),
  });

test("requests at once share what the balance covers, down to a floor, and never hold more than that", async () => {
  host.setModels(DEAR);
  // A whole request of 128,000 tokens holds 2.56 EUR.
  const customer = await newCustomer(hub, { credit: 2.8 });
  const ups = [takeNext(upstream), takeNext(upstream)];
  const sending = Promise.all([send(customer), send(customer)]);
  const taken = await Promise.all(ups);
  // A response begins with the first text.
  for (const up of taken) up.text("Hi");
  const [first, second] = await sending;
  const limits = [first, second].map(({ headers }) => Number(headers.get("x-hub-max-tokens")));
  for (const limit of limits) expect(limit).toBeGreaterThan(30_000);
  const [held] = await hub.db.query<{ reserved: bigint; balance: bigint }>("SELECT reserved, balance FROM account WHERE id = $1", [customer.account]); // prettier-ignore
  expect(BigInt(held!.reserved)).toBeLessThanOrEqual(BigInt(held!.balance));
  expect(taken.map(({ request }) => Number(request.body.max_tokens)).sort()).toEqual([...limits].sort());
  for (const up of taken) up.finish(usageOf(10, 1));
  await Promise.all([first.text(), second.text()]);

  // 4,096 tokens cost 0.082 EUR: a smaller balance is insufficient, and never lowers the limit further.
  const poor = await newCustomer(hub, { credit: 0.08 });
  expect((await send(poor, { stream: false })).status).toBe(402);
  const small = await newCustomer(hub, { credit: 0.09 });
  const response = await send(small, { stream: false });
  expect([response.status, response.headers.get("x-hub-max-tokens")]).toEqual([200, "4096"]);
  const least = await send(poor, { stream: false, max_tokens: 100 });
  expect([least.status, least.headers.get("x-hub-max-tokens")]).toEqual([200, null]);
});

test("a key's spend limit lowers the limit too, and a replay shows it", async () => {
  host.setModels(DEAR);
  const customer = await newCustomer(hub, { credit: 100, spendLimit: 1 });
  const headers = { "idempotency-key": "k1" };
  const [once, again] = [await send(customer, { stream: false }, headers), await send(customer, { stream: false }, headers)]; // prettier-ignore
  const limit = Number(once.headers.get("x-hub-max-tokens"));
  expect(limit).toBeGreaterThanOrEqual(4_096);
  expect(limit).toBeLessThan(50_000);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.headers.get("x-hub-max-tokens")).toBe(String(limit));
});

test("what is kept for a repeat is encrypted, belongs to its key, and is gone after two minutes", async () => {
  const customer = await newCustomer(hub);
  const other = await newCustomer(hub);
  const taken = takeNext(upstream);
  const client = new AbortController();
  const body = { max_tokens: 500 };
  const opening = fetch(`${url}/v1/messages`, {
    method: "POST",
    signal: client.signal,
    headers: { "content-type": "application/json", "x-api-key": customer.key },
    body: JSON.stringify({
      model: "talk",
      max_tokens: 500,
      stream: true,
      messages: [{ role: "user", content: "hello" }],
    }),
  });
  const up = await taken;
  up.text("canary");
  await opening;
  client.abort();
  await expect.poll(async () => (await clients.listRecords(customer))[0]!.joinable_at).not.toBeNull();
  up.text(" bird");
  up.finish(usageOf(10, 2));
  await expect.poll(async () => (await clients.listRecords(customer))[0]!.status).toBe("succeeded");
  const [record] = await clients.listRecords(customer);
  expect(record!.answer).toMatch(/^sealed:/);
  expect(Buffer.from(record!.answer!.slice("sealed:".length), "base64").toString("latin1")).not.toContain("canary");

  upstream.respondNext(streamWords(["Other"]));
  expect((await send(other, body)).headers.get("idempotent-replayed")).toBeNull();
  const later = deriveHub(hub, { now: () => new Date(hub.now().getTime() + 120_001) });
  await purgeJoinable(later, 10);
  expect((await clients.listRecords(customer))[0]).toMatchObject({ answer: null, request_digest: null });
  upstream.respondNext(streamWords(["New"]));
  const events = parseEvents(await (await send(customer, body)).text());
  expect(JSON.stringify(events)).toContain("New");
});

test("a conversation stays with the route that served it, as long as that is healthy", async () => {
  const second = await openUpstream();
  const route = "{ provider: up, upstream_model: gpt-up }";
  host.setModels(MODEL_YAML.replace(route, `${route}, { provider: second, upstream_model: gpt-up }`), second.url);
  const customer = await newCustomer(hub);
  const other = await newCustomer(hub);
  const turn = (who: Customer, headers: Record<string, string> = { "x-session-affinity": "s1" }) =>
    send(who, { max_tokens: 10, stream: false }, headers).then((response) => response.status);
  upstream.respondNext(respondWith(404, {}));
  expect(await turn(customer)).toBe(200);
  const counts = () => [upstream.requests.length, second.requests.length];
  const before = counts();
  expect(await turn(customer)).toBe(200);
  expect(counts()).toEqual([before[0], before[1]! + 1]);
  expect(await turn(customer, {})).toBe(200);
  expect(await turn(other)).toBe(200);
  expect(counts()).toEqual([before[0]! + 2, before[1]! + 1]);
  second.respondNext(respondWith(404, {}));
  expect(await turn(customer)).toBe(200);
  expect(await turn(customer)).toBe(200);
  expect(counts()).toEqual([before[0]! + 4, before[1]! + 2]);
  await second.close();
});
