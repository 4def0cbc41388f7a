import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { newCustomer } from "../api/customer";
import { measureLongestTurnAgain } from "../longest-turn";
import { textChunk } from "../openai/stream-upstream";
import { openRawClient } from "../raw-client";
import { soakCount } from "../soak";
import { openChatHost, userMessages } from "./host";

const host = await openChatHost();
const STREAMS = soakCount(40, 100);
const CHUNKS = soakCount(120, 2_000);
const TIMEOUT_MS = soakCount(15_000, 120_000);
const MAX_TURN_MS = 50;

test("streams that nobody reads keep no other request waiting", { timeout: 2 * TIMEOUT_MS }, async () => {
  const { key } = await newCustomer(host.hub, { credit: 1_000 });
  const body = JSON.stringify({ model: "talk", messages: userMessages("hello"), stream: true, max_tokens: 1_000 });
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    "Host: hub.test",
    "Content-Type: application/json",
    `Authorization: Bearer ${key}`,
    `Content-Length: ${body.length}`,
  ];
  let streams: ServerResponse[] = [];
  const startStream = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    streams.push(response);
  };
  const openStreams = async () => {
    streams = [];
    for (let n = 0; n < STREAMS; n += 1) {
      host.upstream.respondNext(startStream);
      const client = await openRawClient(host.url, `${head.join("\r\n")}\r\n\r\n${body}`);
      client.socket.pause();
      onTestFinished(() => void client.socket.destroy());
    }
    await expect.poll(() => streams.length).toBe(STREAMS);
  };
  const text = `data: ${JSON.stringify(textChunk("word "))}\n\n`.repeat(CHUNKS);
  const endStreams = async () => {
    for (const stream of streams) stream.end(text);
    await expect.poll(() => host.hub.chats.size, { timeout: TIMEOUT_MS }).toBe(0);
  };
  expect(await measureLongestTurnAgain(MAX_TURN_MS, endStreams, openStreams)).toBeLessThan(MAX_TURN_MS);
});
