import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { endLostChat } from "../../server/domain/generations/run/chat-lease";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openStream, parseChunks } from "../openai/read-stream";
import { DONE, streamEvents, takeNext, textChunk, usageOf } from "../openai/stream-upstream";
import { auditAfterChats, openChatHost, userMessages } from "./host";
import { completeWith } from "./upstream";

const host = await openChatHost();
const { upstream, hub } = host;
host.setModels(`
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, audio_input_cost_per_million: 32,
      audio_output_cost_per_million: 20, context_length: 100000, max_output_tokens: 1000 }
    output_modalities: [text, audio, image]
    routes: [{ provider: up, upstream_model: gpt-up }]
  - id: boundless
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, audio_input_cost_per_million: 32, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: gpt-up }]
`);

let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub, { credit: 100 });
});
auditAfterChats(hub);

const spoken = { messages: userMessages("hi"), modalities: ["text", "audio"], max_tokens: 100 };
const drawn = { messages: userMessages("hi"), modalities: ["text", "image"], max_tokens: 100 };
const withDelta = (delta: object) => ({ ...textChunk(""), choices: [{ index: 0, delta, finish_reason: null }] });
/** An eighth of a second of sound. */
const sound = withDelta({ audio: { id: "audio_1", data: randomBytes(6_000).toString("base64") } });
const said = (transcript: string) => withDelta({ audio: { transcript } });
const pictureUrl = `data:image/png;base64,${randomBytes(60_000).toString("base64")}`;
const picture = withDelta({ content: "", images: [{ type: "image_url", image_url: { url: pictureUrl } }] });
const usageChunk = (usage: object) => ({ ...textChunk(""), choices: [], usage });
/** What providers report, each with its cost. */
const reports = {
  sound: {
    usage: { ...usageOf(8, 70), completion_tokens_details: { audio_tokens: 60 } },
    cost: (8 + 10 * 2 + 60 * 20) / 1e6,
  },
  pictures: { usage: usageOf(8, 70), cost: (8 + 70 * 2) / 1e6 },
};

const open = (body: Record<string, unknown>) => openStream({ url: host.url, key: customer.key, body });
const read = async (id: string) =>
  (await callApi(host, "GET", `/api/v1/hub/generations/${id}`, { key: customer.key })).body;
const idOf = ({ response }: { response: Response }) => response.headers.get("x-generation-id")!;
const ended = async (id: string) => {
  await expect.poll(async () => (await read(id)).status).not.toBe("running");
  return read(id);
};

test.each<[keyof typeof reports, Record<string, unknown>, object[]]>([
  ["sound", spoken, [said("Hi "), ...Array.from({ length: 40 }, () => sound), said("there.")]],
  ["pictures", drawn, [picture, picture]],
])("a stream of %s is not ended by the length of its data, and is charged by its usage", async (name, body, events) => {
  const { usage, cost } = reports[name];
  upstream.respondNext(streamEvents(...events, textChunk("", "stop"), usageChunk(usage), DONE));
  const stream = await open(body);
  const chunks = parseChunks(await stream.rest());
  expect(chunks).toHaveLength(events.length + 1);
  expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe("stop");
  expect(await read(idOf(stream))).toMatchObject({ status: "succeeded", billed_cost: cost });
});

test.each<[keyof typeof reports, Record<string, unknown>, object[]]>([
  ["sound", spoken, [said("Hi"), sound]],
  ["pictures", drawn, [textChunk("Here is"), picture]],
])("a stream of %s whose client has left is read on to its usage", async (name, body, [first, next]) => {
  const { usage, cost } = reports[name];
  const taken = takeNext(upstream);
  const opening = open(body);
  const up = await taken;
  up.event(first);
  const stream = await opening;
  await stream.nextChunk();
  stream.leave();
  // The hub goes on reading although its client has left.
  await new Promise((resolve) => setImmediate(resolve));
  up.event(next);
  up.finish(usage);
  expect(await ended(idOf(stream))).toMatchObject({ status: "succeeded", billed_cost: cost });
});

test.each([
  ["sound", spoken, sound, 20],
  ["pictures", drawn, picture, 2],
])("%s whose usage never arrives counts as the limit", async (_name, body, event, price) => {
  upstream.respondNext(streamEvents(event, textChunk("", "stop"), DONE));
  const complete = await open(body);
  await complete.rest();
  upstream.respondNext(streamEvents(event, { error: { message: "overloaded" } }));
  const broken = await open(body);
  await broken.rest();
  for (const stream of [complete, broken]) {
    const { billed_cost, usage: counted } = await ended(idOf(stream));
    const { input_tokens, output_tokens } = counted as { input_tokens: number; output_tokens: number };
    expect(output_tokens).toBe(100);
    expect(billed_cost).toBe((input_tokens * 1 + 100 * price) / 1e6);
  }
});

test("a spoken answer in one piece whose provider reports no usage counts as the limit", async () => {
  const { delta } = sound.choices[0] as { delta: object };
  const message = { role: "assistant", content: null, ...delta };
  upstream.respondNext(completeWith({ usage: undefined, choices: [{ index: 0, message, finish_reason: "stop" }] }));
  const { body } = await host.chat(customer.key, spoken);
  expect(body.usage).toMatchObject({ completion_tokens: 100 });
});

test("a prompt with an earlier spoken answer is held, and without usage counted, as the whole context", async () => {
  const answer = { role: "assistant", content: null, audio: { id: "audio_1" } };
  upstream.respondNext(completeWith({ usage: undefined }));
  const messages = [...userMessages("hi"), answer, ...userMessages("And then?")];
  const { body } = await host.chat(customer.key, { messages, max_tokens: 100 });
  expect(body.usage).toMatchObject({ prompt_tokens: 100_000 });
  expect(await read(body.id as string)).toMatchObject({ estimated_cost: (100_000 * 32 + 100 * 2) / 1e6 });
});

test("a model without a context length takes no earlier spoken answer", async () => {
  const answer = { role: "assistant", content: null, audio: { id: "audio_1" } };
  const { status, body } = await host.chat(customer.key, { model: "boundless", messages: [answer] });
  expect([status, (body.error as { message: string }).message.split(": ")[0]]).toEqual([400, "messages.0.audio"]);
});

test("a killed stream of sound is charged its limit", async () => {
  const taken = takeNext(upstream);
  const opening = open(spoken);
  const up = await taken;
  up.event(sound);
  const stream = await opening;
  await stream.nextChunk();
  const id = idOf(stream);
  const stored = () => hub.db.query("SELECT token_classes FROM generation WHERE id = $1", [id]);
  await expect.poll(stored).toEqual([{ token_classes: { audio_output: 100 } }]);
  expect(await endLostChat(hub, id)).toBe(true);
  expect(await read(id)).toMatchObject({ status: "canceled", usage: { output_tokens: 100 } });
  up.finish();
  await stream.rest();
});
