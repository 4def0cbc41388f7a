import { afterAll, beforeEach, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { endLostChat } from "../../server/domain/generations/run/chat-lease";
import { toEuros } from "../../server/lib/money";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openStream, parseChunks } from "../openai/read-stream";
import { streamWords, takeNext, textChunk } from "../openai/stream-upstream";
import { openChatHost, userMessages } from "./host";
import { completeWith } from "./upstream";

const PRICES = `input_cost_per_million: 4, output_cost_per_million: 20, cached_input_cost_per_million: 0.2,
      cache_write_cost_per_million: 5, cache_write_long_cost_per_million: 8`;
const modelWith = (prices: string) => `
  - id: talk
    llm: { ${prices}, context_length: 1000000, max_output_tokens: 1000 }
    supports: [vision]
    input_modalities: [text, audio]
    routes: [{ provider: up, upstream_model: gpt-up }]
`;

const host = await openChatHost();
const { upstream, hub } = host;
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub, { credit: 1_000 });
  host.setModels(modelWith(PRICES));
});
// Once for all tests, because it reads all that they have done.
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const anthropic = {
  input_tokens: 12,
  cache_read_input_tokens: 1_000,
  cache_creation_input_tokens: 100,
  cache_creation: { ephemeral_5m_input_tokens: 100 },
  output_tokens: 20,
};
const openAi = {
  prompt_tokens: 1_112,
  completion_tokens: 20,
  total_tokens: 1_132,
  prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 100 },
};

/** Sends a chat to a provider that reports this usage. Returns the chat's usage, and its generation. */
async function send(usage: object, body: object = {}, answer: object = {}) {
  upstream.respondNext(completeWith({ usage, ...answer }));
  const reply = await host.chat(customer.key, { messages: userMessages("hi"), ...body });
  expect(reply.status).toBe(200);
  return { usage: reply.body.usage as Record<string, unknown>, generation: await read(reply.body.id as string) };
}

async function stream(usage: Record<string, number>, body: object = {}) {
  upstream.respondNext(streamWords(["Hi"], usage as never));
  const reader = await openStream({
    url: host.url,
    key: customer.key,
    body: { messages: userMessages("hi"), ...body },
  });
  const chunk = parseChunks(await reader.rest()).find((one) => one.usage);
  return { usage: chunk!.usage as Record<string, unknown>, generation: await read(chunk!.id) };
}

const read = async (id: string) =>
  (await callApi(host, "GET", `/api/v1/hub/generations/${id}`, { key: customer.key })).body;

test.each([
  ["Anthropic's", anthropic],
  ["OpenAI's", openAi],
])("a chat is charged by class, in %s form, streamed and not", async (_maker, reported) => {
  for (const run of [send, stream]) {
    const { usage, generation } = await run(reported as never);
    expect(usage).toMatchObject({
      prompt_tokens: 1_112,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 100 },
      cost: 0.001148,
    });
    expect(generation).toMatchObject({
      billed_cost: 0.001148,
      usage: {
        input_tokens: 1_112,
        cached_input_tokens: 1_000,
        cache_write_tokens: 100,
        output_tokens: 20,
        reasoning_tokens: 0,
      },
    });
  }
});

test("a chat is charged at the tier that served it, at most its hold", async () => {
  host.setModels(modelWith(`${PRICES}, service_tiers: { flex: 0.5, priority: 2 }`));
  const plain = { prompt_tokens: 100, completion_tokens: 10 };
  const cost = (100 * 4 + 10 * 20) / 1e6;
  const charged = async (body: object, answer: object) => (await send(plain, body, answer)).generation.billed_cost;
  expect(await charged({}, {})).toBe(cost);
  expect(await charged({ service_tier: "priority" }, {})).toBe(2 * cost);
  expect(await charged({ service_tier: "priority" }, { service_tier: "default" })).toBe(cost);
  expect(await charged({ service_tier: "auto" }, { service_tier: "priority" })).toBe(2 * cost);
  expect(await charged({ service_tier: "flex" }, { service_tier: "flex" })).toBe(cost / 2);
  const { generation } = await stream({ ...plain, total_tokens: 110 }, { service_tier: "priority" });
  expect(generation.billed_cost).toBe(2 * cost);
});

test("a request that can reach what has no price is 400, and calls nobody", async () => {
  host.setModels(modelWith("input_cost_per_million: 4, output_cost_per_million: 20"));
  const sent = upstream.requests.length;
  const marked = [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }];
  for (const [body, place] of [
    [{ messages: userMessages(marked) }, "messages.0.content.0.cache_control"],
    [
      { messages: userMessages([{ type: "input_audio", input_audio: { data: "AA==", format: "wav" } }]) },
      "messages.0.content.0",
    ],
    [
      { messages: [{ role: "assistant", content: null, audio: { id: "audio_1" } }, ...userMessages("hi")] },
      "messages.0.audio",
    ],
    [{ messages: userMessages("hi"), modalities: ["audio"] }, "modalities"],
    [{ messages: userMessages("hi"), service_tier: "priority" }, "service_tier"],
  ] as const) {
    const { status, body: answer } = await host.chat(customer.key, body);
    const { code, message } = answer.error as { code: string; message: string };
    expect([status, code, message.split(": ")[0]]).toEqual([400, "invalid_input", place]);
  }
  expect(upstream.requests.length).toBe(sent);
});

test.each([
  ["missing", undefined],
  ["null", null],
  ["negative", { prompt_tokens: -1, completion_tokens: -1 }],
  ["absurd", { prompt_tokens: 1e12, completion_tokens: 1e12 }],
  ["more cached than sent", { prompt_tokens: 5, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 1e6 } }],
  [
    "more reasoning than made",
    { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10, completion_tokens_details: { reasoning_tokens: 6 } },
  ],
  ["a total below its parts", { prompt_tokens: 50, completion_tokens: 50, total_tokens: 10 }],
])("implausible usage costs between nothing and the hold: %s", async (_name, usage) => {
  const { generation } = await send(usage as never);
  const { billed_cost: billed, estimated_cost: held } = generation as Record<string, number>;
  expect(billed).toBeGreaterThan(0);
  expect(billed).toBeLessThanOrEqual(held!);
});

test("a stream ends when its text costs the whole hold", async () => {
  host.setModels(modelWith("input_cost_per_million: 0, output_cost_per_million: 20"));
  const taken = takeNext(upstream);
  const opening = openStream({
    url: host.url,
    key: customer.key,
    body: { messages: userMessages("hi"), max_tokens: 20 },
  });
  const up = await taken;
  const pump = setInterval(() => up.text("word ".repeat(10)), 5);
  await up.closed;
  clearInterval(pump);
  const chunks = parseChunks(await (await opening).rest());
  const last = chunks.find(({ choices }) => choices[0]?.finish_reason)!;
  expect(last.choices[0]!.finish_reason).toBe("length");
  const generation = await read(last.id);
  expect(generation).toMatchObject({ status: "succeeded", billed_cost: 0.0004, estimated_cost: 0.0004 });
});

test("a killed stream is charged by the classes that its provider had reported, and frees its key", async () => {
  const taken = takeNext(upstream);
  const headers = { "idempotency-key": "killed" };
  const body = { messages: userMessages("hi") };
  const opening = openStream({ url: host.url, key: customer.key, body, headers });
  const up = await taken;
  up.event({ ...textChunk(""), usage: { ...anthropic, output_tokens: 1 } });
  up.text("Hi there, how are you today?");
  const reader = await opening;
  await reader.nextChunk();
  const stored = async () => {
    const [row] = await hub.db.query<{ id: string; token_classes: object | null; output_tokens: number | null }>(
      "SELECT id, token_classes, output_tokens FROM generation WHERE account_id = $1",
      [customer.account],
    );
    return row!;
  };
  await expect.poll(async () => (await stored()).token_classes).toEqual({ cached_input: 1_000, cache_write: 100 });
  const { id, output_tokens: counted } = await stored();
  // The usage came before the text, so the hub has counted what followed.
  expect(counted).toBeGreaterThan(1);
  expect(await endLostChat(hub, id)).toBe(true);
  expect(await read(id)).toMatchObject({
    status: "canceled",
    billed_cost: toEuros(12n * 4_000n + 1_000n * 200n + 100n * 5_000n + BigInt(counted!) * 20_000n),
  });
  up.finish();
  await reader.rest();
  await expect.poll(() => hub.chats.size).toBe(0);
});

test("the audit finds a nano-euro", async () => {
  const { generation } = await send(openAi);
  await hub.db.query(
    "UPDATE generation SET token_classes = jsonb_set(token_classes, '{cached_input}', '999') WHERE id = $1",
    [generation.id],
  );
  expect((await runAudit(hub.db)).violations).toMatchObject([
    { check: "a chat costs its tokens at its frozen prices, at most its estimate" },
  ]);
  await hub.db.query(
    "UPDATE generation SET token_classes = jsonb_set(token_classes, '{cached_input}', '1000') WHERE id = $1",
    [generation.id],
  );
});
