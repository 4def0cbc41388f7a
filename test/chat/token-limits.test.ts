import { expect, test } from "vitest";
import { createListener } from "../../server/api/listener";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { offerEmbeddingModel } from "../openai/offer-embedding-model";
import { serveRequests } from "../serve-requests";
import { CHAT, openChatHost, userMessages } from "./host";
import { errorBody, type Responder, respondWith } from "./upstream";

const host = await openChatHost();
const other = deriveHub(host.hub);
const otherListener = createListener(other);
const otherUrl = await serveRequests((request, response) => void otherListener(request, response));
const newCaller = (tokensPerMinute: number, options = {}) => newCustomer(host.hub, { tokensPerMinute, ...options });
const messages = userMessages("hello");
const chat = ({ key }: Customer, body: object = {}, url = host.url) =>
  callApi({ url }, "POST", CHAT, { key, body: { model: "talk", messages, max_tokens: 90, ...body } });
const shownLeft = ({ headers }: { headers: Headers }) => /^"key-tokens";r=(\d+)/.exec(headers.get("ratelimit")!)?.[1];
const usedBy = async ({ keyId }: Customer) => {
  const [row] = await host.hub.db.query<{ used: number }>(
    `SELECT coalesce(sum(value::int), 0)::int AS used FROM key_rate, jsonb_each_text(seconds)
     WHERE key_id = $1 AND unit = 'tokens'`,
    [keyId],
  );
  return row!.used;
};

test("a chat reserves what it can reach, and counts what it has used", async () => {
  const customer = await newCaller(1_000);
  const first = await chat(customer);
  expect(first.status).toBe(200);
  expect(first.headers.get("ratelimit-policy")).toBe('"key-tokens";q=1000;w=60');
  const reserved = 1_000 - Number(shownLeft(first));
  expect(reserved).toBeGreaterThan(90);
  expect(reserved).toBeLessThan(120);
  // One token of the prompt and seven of the answer.
  expect(await usedBy(customer)).toBe(8);
  expect(shownLeft(await chat(customer))).toBe(String(1_000 - 8 - reserved));
});

test("parallel chats in two processes never reserve more than the limit, and a rejected one passes after Retry-After", async () => {
  const resume = host.hub.clock.freeze();
  const customer = await newCaller(450);
  const waiting: (() => void)[] = [];
  const hold: Responder = (...call) => void waiting.push(() => respondWith(200, answer)(...call));
  host.upstream.respondNext(hold, hold, hold, hold);
  const replies = Array.from({ length: 12 }, (_, n) => chat(customer, {}, n % 2 ? host.url : otherUrl));
  let ended = 0;
  for (const reply of replies) void reply.then(() => (ended += 1));
  // Each reserves about a hundred tokens, so four are let in and wait for their provider.
  await expect.poll(() => [ended, waiting.length]).toEqual([8, 4]);
  for (const reply of waiting) reply();
  const all = await Promise.all(replies);
  expect(all.map(({ status }) => status).sort()).toEqual([
    ...Array<number>(4).fill(200),
    ...Array<number>(8).fill(429),
  ]);
  const rejected = all.find(({ status }) => status === 429)!;
  expect(rejected.headers.get("ratelimit")).toMatch(/^"key-tokens";r=\d+;t=\d+$/);
  expect((rejected.body.error as { message: string }).message).toContain("450 tokens a minute");
  const wait = Number(rejected.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  resume();
  host.hub.clock.advance(wait * 1000);
  expect((await chat(customer)).status).toBe(200);
});

const answer = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "talk",
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
};

test("a chat that fails, costs too much or is not covered gives everything back", async () => {
  const customer = await newCaller(1_000);
  host.upstream.respondNext(respondWith(400, errorBody("no")));
  expect((await chat(customer)).status).toBe(400);
  expect(await usedBy(customer)).toBe(0);
  const poor = await newCaller(1_000, { credit: 0.000001 });
  expect((await chat(poor)).status).toBe(402);
  expect(await usedBy(poor)).toBe(0);
  expect(host.hub.services.tokenReservations.size).toBe(0);
});

test("a repeat with an idempotency key takes no tokens", async () => {
  const customer = await newCaller(1_000);
  const headers = { "idempotency-key": "once" };
  const send = () => callApi(host, "POST", CHAT, { key: customer.key, body: { model: "talk", messages }, headers });
  expect((await send()).status).toBe(200);
  expect((await send()).headers.get("idempotent-replayed")).toBe("true");
  expect(await usedBy(customer)).toBe(8);
});

test("a streamed chat counts what it has used before its stream ends", async () => {
  const customer = await newCaller(1_000);
  const response = await fetch(`${host.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-text", messages, max_tokens: 90, stream: true, stream_options: { include_usage: true } }), // prettier-ignore
  });
  expect(shownLeft(response)).toMatch(/^\d+$/);
  const [, total] = /"total_tokens":(\d+)/.exec(await response.text())!;
  expect(await usedBy(customer)).toBe(Number(total));
});

test("without an output limit a chat may use an eighth of the minute, at least 4,096 tokens", async () => {
  host.setModels(`
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 1000000, max_output_tokens: 100000 }
    routes: [{ provider: up, upstream_model: gpt-up }]
`);
  for (const [limit, output] of [
    [1_000_000, 100_000],
    [160_000, 20_000],
    [10_000, 4_096],
  ] as const) {
    const customer = await newCaller(limit);
    expect((await chat(customer, { max_tokens: undefined })).status).toBe(200);
    const sent = host.upstream.requests.at(-1)!.body;
    expect(sent.max_tokens ?? sent.max_completion_tokens).toBe(output);
  }
  const own = await newCaller(10_000);
  expect((await chat(own, { max_tokens: 9_000 })).status).toBe(200);
  // Without a limit of tokens, the model's own is left.
  const unlimited = await newCustomer(host.hub);
  await chat(unlimited, { max_tokens: undefined });
  expect(host.upstream.requests.at(-1)!.body.max_tokens).toBe(100_000);
});

test("what no minute has room for is a 400 that names the place, and Messages are clamped", async () => {
  const customer = await newCaller(1_000);
  const errorOf = async (body: object) => (await chat(customer, body)).body.error as { code: string; message: string };
  const tooMuch = await errorOf({ max_tokens: 1_000 });
  expect(tooMuch.code).toBe("invalid_input");
  const [, most] = /^max_tokens: must be at most (\d+), because this API key may use 1000 tokens/.exec(
    tooMuch.message,
  )!;
  expect((await chat(customer, { max_tokens: Number(most) })).status).toBe(200);
  const long = await errorOf({ messages: userMessages("word ".repeat(2_000)), max_tokens: 1 });
  expect(long.message).toMatch(
    /^messages: has about \d+ tokens, but this API key may use at most 1000 tokens a minute/,
  );
  const reply = await fetch(`${host.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": (await newCaller(10_000)).key, "content-type": "application/json" },
    body: JSON.stringify({ model: "talk", messages, max_tokens: 32_000 }),
  });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("x-hub-max-tokens")).toBe("4096");
});

test("embeddings count as well", async () => {
  const upstream = await serveRequests((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 5 } }));
  });
  offerEmbeddingModel(host.hub, upstream);
  const customer = await newCaller(50);
  const embed = (input: unknown) =>
    fetch(`${host.url}/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "embed", input }),
    });
  expect((await embed("a few words of text")).status).toBe(200);
  expect(await usedBy(customer)).toBe(5);
  expect((await embed(Array<number>(46).fill(1))).status).toBe(429);
  const tooLong = await embed(Array<number>(51).fill(1));
  expect(tooLong.status).toBe(400);
  expect(await tooLong.json()).toMatchObject({ error: { param: "input" } });
});
