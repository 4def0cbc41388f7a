import { createServer } from "node:http";
import { afterAll, expect, test } from "vitest";
import { createJsonCodec } from "../../../server/lib/json/codec";
import { anthropic } from "../../../server/providers/anthropic/anthropic";
import { type ChatCall, type ChatChunk, ChatStreamBroken } from "../../../server/providers/chat-call";
import { listenOnLoopback } from "../../loopback";
import { measureLongestTurnAgain } from "../../longest-turn";
import { buildJob, buildProvider } from "../job";

const MAX_TURN_MS = 50;

let stream: Buffer[] = [];
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of stream) response.write(event);
  response.end();
});
const baseUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
afterAll(() => server.close());

const { route } = buildJob(buildProvider("anthropic", baseUrl), "claude-opus-5-5", {});
const call: ChatCall = {
  id: "chat",
  dialect: "messages",
  body: { model: "claude-opus-5-5", max_tokens: 10, messages: [{ role: "user", content: "hello" }], stream: true },
  route,
  isLarge: false,
  json: createJsonCodec(),
  reserve: () => true,
};

const toEvent = (json: string) => Buffer.from(`data: ${json}\n\n`);
const start = toEvent('{"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}');
const deltaOf = (text: string) =>
  toEvent(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}`);

async function readStream(events: Buffer[]): Promise<{ chunks: ChatChunk[]; error: unknown }> {
  stream = events;
  const opened = await anthropic.streamChat!(call, AbortSignal.timeout(10_000));
  if (opened.state === "failed") throw new Error(opened.error.message);
  const chunks: ChatChunk[] = [];
  try {
    for await (const chunk of opened.chunks) chunks.push(chunk);
    return { chunks, error: null };
  } catch (error) {
    return { chunks, error };
  }
}

test.each([
  ["one event of plain text", [deltaOf("a".repeat(4_000_000))]],
  ["one event of escapes", [deltaOf(String.raw`\u0041`.repeat(650_000))]],
  ["one event of backslashes", [deltaOf(String.raw`\\`.repeat(2_000_000))]],
  ["many small events", Array.from({ length: 20_000 }, () => deltaOf("a"))],
])("a stream with %s does not block", async (_name, events) => {
  await readStream([start]);
  let read: { chunks: ChatChunk[] } | null = null;
  const longest = await measureLongestTurnAgain(MAX_TURN_MS, async () => (read = await readStream([start, ...events])));
  expect(read!.chunks).toHaveLength(1 + events.length);
  expect(longest).toBeLessThan(MAX_TURN_MS);
});

test.each([
  ["too deep", [toEvent(`{"type":"ping","a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`)]],
  ["of too many values", [toEvent(`{"type":"ping","a":[${"1,".repeat(20_000)}1]}`)]],
  ["too large", [deltaOf("a".repeat(5_000_000))]],
  ["not an object", [toEvent("[]")]],
  ["without a type", [toEvent('{"type":7}')]],
  ["not JSON", [toEvent("{")]],
  ["missing: the stream ends early", []],
])("an event that is %s breaks the stream", async (_name, events) => {
  const { chunks, error } = await readStream([start, ...events]);
  expect(chunks).toHaveLength(1);
  expect(error).toBeInstanceOf(ChatStreamBroken);
});

test.each([
  ['{"type":"content_block_start","index":{},"content_block":7}'],
  ['{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}'],
  ['{"type":"content_block_stop","index":"x"}'],
  ['{"type":"message_delta","delta":null,"usage":"many"}'],
  ['{"type":"constructor","__proto__":{"type":"ping"}}'],
])("an odd event adds nothing: %s", async (json) => {
  const { chunks } = await readStream([start, toEvent(json)]);
  expect(chunks.at(-1)).toMatchObject({ choices: [] });
});
