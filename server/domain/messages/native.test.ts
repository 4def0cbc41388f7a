import { expect, test } from "vitest";
import { type ChatChunk, NATIVE } from "../../providers/chat-call";
import { checkOrder, parseEvents, type SentEvent } from "../../../test/messages/host";
import { createEventStream } from "../dialects/event-stream";
import { STREAM_TIMES } from "../chat/hub";
import { createMessagesDialect } from "./dialect";
import { createToolNames } from "./tool-names";

const chat = {
  id: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
  model: "opus",
  created_at: new Date(0),
  includeUsage: false,
  countPrompt: () => Promise.resolve(10),
};
const billed = { prompt_tokens: 12, completion_tokens: 20, total_tokens: 32, cost: 0.001148 };
const usage = { input_tokens: 12, cache_read_input_tokens: 1000, output_tokens: 1 };

const newDialect = () =>
  createMessagesDialect({
    native: null,
    needsNative: false,
    conversation: null,
    toolNames: createToolNames(),
    stops: [],
    describeError: ({ message }) => ({ error: { type: "api_error", message } }),
  });

/** Returns a chunk as the provider makes it of an event. */
const chunkOf = (data: Record<string, unknown> & { type: string }): ChatChunk => ({
  choices: [],
  [NATIVE]: { type: data.type, data },
});

const recorded = [
  {
    type: "message_start",
    message: { id: "msg_up", type: "message", role: "assistant", model: "claude-opus-5-5", content: [], usage },
  },
  { type: "ping" },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm" } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "EqQB" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "hologram", size: 3 } },
  { type: "content_block_stop", index: 1 },
  { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "t", name: "read", input: {} } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"a":' } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "1}" } },
  { type: "content_block_stop", index: 2 },
  { type: "message_delta", delta: { stop_reason: "pause_turn", stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: "message_stop" },
];

/** Returns the events that a client gets for those of a provider, and the answer that is stored. */
async function run(events: typeof recorded, finishReason = "stop") {
  const dialect = newDialect();
  const stream = createEventStream(STREAM_TIMES, new AbortController().signal);
  const text = new Response(stream.body).text();
  const sender = dialect.createSender(chat, stream);
  const transcript = dialect.createTranscript();
  for (const event of events) {
    transcript.add(chunkOf(event));
    await sender.send(chunkOf(event), new AbortController().signal);
  }
  await sender.finish(finishReason, billed);
  const answer = dialect.buildAnswer(transcript.toCompletion(finishReason), chat, billed);
  return { sent: parseEvents(await text), answer, dialect };
}

test("forwards each event, under the hub's id and model, and adds the cost when it is known", async () => {
  const { sent, dialect } = await run(recorded);
  expect(sent.slice(1, -2)).toEqual(recorded.slice(1, -2));
  expect(sent[0]!.message).toEqual({
    ...(recorded[0] as SentEvent).message,
    id: "msg_0199a1b2c3d47e5f8a9b0c1d2e3f4a5b",
    model: "opus",
  });
  expect(sent.at(-2)).toMatchObject({
    delta: { stop_reason: "pause_turn" },
    usage: { output_tokens: 20, cost: 0.001148 },
  });
  expect(sent.at(-1)).toEqual({ type: "message_stop" });
  expect(dialect.isTranslated()).toBe(false);
});

test("stores the whole message, which a repeat gets as the same stream", async () => {
  const { answer } = await run(recorded);
  expect(answer).toMatchObject({
    id: "msg_0199a1b2c3d47e5f8a9b0c1d2e3f4a5b",
    model: "opus",
    content: [
      { type: "thinking", thinking: "Hm", signature: "EqQB" },
      { type: "hologram", size: 3 },
      { type: "tool_use", id: "t", name: "read", input: { a: 1 } },
    ],
    stop_reason: "pause_turn",
    usage: { input_tokens: 12, cache_read_input_tokens: 1000, output_tokens: 20, cost: 0.001148 },
  });
  const stream = createEventStream(STREAM_TIMES, new AbortController().signal);
  newDialect().replay(answer, chat, stream);
  const replayed = parseEvents(await new Response(stream.body).text());
  expect(replayed.map(({ type }) => type).filter((type) => type.endsWith("start"))).toHaveLength(4);
  expect(replayed.find(({ delta }) => delta?.type === "input_json_delta")!.delta!.partial_json).toBe('{"a":1}');
  expect(replayed.at(-2)).toMatchObject({ delta: { stop_reason: "pause_turn" }, usage: { cost: 0.001148 } });
});

test("ends a stream that the hub has cut off, with its open block", async () => {
  const { sent, answer } = await run(recorded.slice(0, 4), "length");
  checkOrder(sent);
  expect(sent.at(-2)).toMatchObject({ delta: { stop_reason: "max_tokens" }, usage: { cost: 0.001148 } });
  expect(answer).toMatchObject({ content: [{ type: "thinking", thinking: "Hm" }], stop_reason: "max_tokens" });
});

test("cuts what is stored of a long message", async () => {
  const long = { type: "thinking_delta", thinking: "x".repeat(300_000) };
  const events = recorded.map((event) =>
    event.delta?.type === "thinking_delta" ? { ...event, delta: long } : event,
  ) as typeof recorded;
  const { answer } = await run(events);
  expect(JSON.stringify(answer).length).toBeLessThan(270_000);
  expect(answer.stop_reason).toBe("max_tokens");
});
