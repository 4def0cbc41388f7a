import { readFileSync } from "node:fs";
import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";
import { beforeEach, expect, test } from "vitest";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { joinText, openStream, parseChunks } from "../openai/read-stream";
import { DONE, streamEvents, streamWords, takeNext, textChunk, usageOf } from "../openai/stream-upstream";
import { auditAfterChats, openChatHost, userMessages } from "./host";
import { completeWith } from "./upstream";

const host = await openChatHost();
const { upstream, hub } = host;
const setPrices = (input: number, output: number) =>
  host.setModels(`
  - id: talk
    llm: { input_cost_per_million: ${input}, output_cost_per_million: ${output}, context_length: 1000000, max_output_tokens: 10000 }
    routes: [{ provider: up, upstream_model: gpt-up }]
`);

let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub, { credit: 100 });
});
auditAfterChats(hub);

const open = (body: Record<string, unknown>) =>
  openStream({ url: host.url, key: customer.key, body: { messages: userMessages("hi"), ...body } });
const read = async (id: string) =>
  (await callApi(host, "GET", `/api/v1/hub/generations/${id}`, { key: customer.key })).body as Record<string, never>;

test.each([
  ["code", readFileSync("server/domain/generations/end/settle-chat.ts", "utf8")],
  ["capitals", "THE SOFTWARE IS PROVIDED AS IS, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED. ".repeat(40)],
  ["rules", `${"=".repeat(80)}\n${"-".repeat(60)}\n`.repeat(400)],
  ["Thai", "ประภาคารมองเห็นทะเลและเรือ เมื่อฤดูร้อนปีที่แล้วเราไปที่ชายหาดซึ่งมีคลื่นสูงมาก ".repeat(40)],
])("a stream of %s that keeps to its limit is complete, and charged by its usage", async (_name, text) => {
  setPrices(2, 10);
  const tokens = encode(text);
  const words = tokens.map((token) => decode([token]));
  upstream.respondNext(streamWords(words, usageOf(8, tokens.length)));
  const chunks = parseChunks(await (await open({ max_tokens: tokens.length + 1 })).rest());
  expect(joinText(chunks).length).toBe(words.join("").length);
  expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe("stop");
  expect(chunks.at(-1)!.usage).toMatchObject({ completion_tokens: tokens.length });
  expect(await read(chunks[0]!.id)).toMatchObject({ billed_cost: (8 * 2 + tokens.length * 10) / 1e6 });
});

test("a stream is not cut off for what its provider has added to the answer", async () => {
  setPrices(2, 10);
  const executed_tools = [{ type: "search", output: "word ".repeat(1_000) }];
  const delta = { ...textChunk(""), choices: [{ index: 0, delta: { executed_tools }, finish_reason: null }] };
  const end = [textChunk("", "stop"), { ...textChunk(""), choices: [], usage: usageOf(8, 1) }, DONE];
  upstream.respondNext(streamEvents(delta, textChunk("Hi"), ...end));
  const chunks = parseChunks(await (await open({ max_tokens: 20 })).rest());
  expect(joinText(chunks)).toBe("Hi");
  expect(chunks.at(-1)!.usage).toMatchObject({ cost: (8 * 2 + 1 * 10) / 1e6 });
});

test("a stream that is cut off costs the whole hold", async () => {
  setPrices(4, 20);
  const taken = takeNext(upstream);
  const opening = open({ max_tokens: 20 });
  const up = await taken;
  const pump = setInterval(() => up.text("word ".repeat(10)), 5);
  await up.closed;
  clearInterval(pump);
  const chunks = parseChunks(await (await opening).rest());
  const last = chunks.at(-1)!;
  expect(last.choices[0]!.finish_reason).toBe("length");
  expect(joinText(chunks).length / "word ".length).toBeGreaterThanOrEqual(131);
  expect(last.usage).toMatchObject({ cost: 0.002648 });
  expect(await read(last.id)).toMatchObject({ status: "succeeded", billed_cost: 0.002648, estimated_cost: 0.002648 });
});

test("text that has surely more tokens than its limit is charged beyond it, streamed and not", async () => {
  setPrices(4, 20);
  const text = "word ".repeat(90);
  upstream.respondNext(completeWith({ usage: undefined, choices: [choiceOf(text)] }));
  const whole = await host.chat(customer.key, { messages: userMessages("hi"), max_tokens: 20 });
  const taken = takeNext(upstream);
  const opening = open({ max_tokens: 20 });
  const up = await taken;
  up.text(text);
  const stream = await opening;
  await stream.nextChunk();
  stream.leave();
  await up.closed;
  const usage = { output_tokens: 60 };
  expect(await read(whole.body.id as string)).toMatchObject({ usage });
  const id = stream.response.headers.get("x-generation-id")!;
  await expect.poll(async () => (await read(id)).status).toBe("canceled");
  expect(await read(id)).toMatchObject({ usage });
});

const choiceOf = (content: string) => ({ index: 0, message: { role: "assistant", content }, finish_reason: "length" });

test("text that only seems to have more tokens than its limit is charged its limit", async () => {
  setPrices(4, 20);
  upstream.respondNext(completeWith({ usage: undefined, choices: [choiceOf("word ".repeat(25))] }));
  const { body } = await host.chat(customer.key, { messages: userMessages("hi"), max_tokens: 20 });
  expect(body.usage).toMatchObject({ completion_tokens: 20 });
});
