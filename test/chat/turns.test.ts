import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningHub } from "../../e2e/server";
import { type Customer, newCustomer } from "../api/customer";
import { MAX_RUNS } from "../longest-turn";
import { DONE, streamEvents, textChunk } from "../openai/stream-upstream";
import { measureMemory } from "../process-memory";
import { isSoak, soakCount } from "../soak";
import { CHAT } from "./host";
import { openProcessHub } from "./process-hub";
import { completeWith, type Responder } from "./upstream";

const MAX_TURN_MS = 50;
const MAX_GROWTH_MB = 200;
const SIZE = 19 * 2 ** 20;

const meterFile = path.join(os.tmpdir(), `turns-${process.pid}`);
const preload = `--import=${pathToFileURL(path.join(import.meta.dirname, "../turn-meter.mjs")).href}`;
const { testHub, upstream, start } = await openProcessHub({ NODE_OPTIONS: preload, TURN_METER_FILE: meterFile });
let hub: RunningHub;
let customer: Customer;

describe.skipIf(process.platform !== "linux")("no turn of the event loop is long", () => {
  beforeAll(async () => {
    customer = await newCustomer(testHub, { credit: 100_000 });
    writeFileSync(meterFile, "");
    hub = await start();
    // Loads and compiles what the others use.
    for (const content of ['"hello"', `"${"x".repeat(2 ** 20)}"`]) await send(bodyWith(content), answerWith("Yes."));
  });
  afterAll(() => hub.stop());

  const texts: [string, () => string][] = [
    ["escapes", () => '\\"'.repeat(SIZE / 2)],
    ["plain text", () => "lighthouse ".repeat(SIZE / 11)],
    ["characters of two bytes", () => "маяк ".repeat(SIZE / 9)],
  ];
  const bodies: [string, () => Buffer][] = [
    ...texts.map(([name, text]): [string, () => Buffer] => [name, () => bodyWith(`"${text()}"`)]),
    [
      "an image",
      () => bodyWith(`[{"type":"image_url","image_url":{"url":"data:image/png;base64,${"A".repeat(SIZE)}"}}]`),
    ],
    [
      "a text file",
      () => bodyWith(`[{"type":"file","file":{"filename":"a.txt","file_data":"${"0LzQsNGP".repeat(680_000)}"}}]`),
    ],
    ["many messages", () => bodyWith('"hi"', `${',{"role":"user","content":"hello there"}'.repeat(9_000)}`)],
    ["many values", () => bodyWith('"hi"', `],"metadata":[${Array(49_900).fill("0.5").join()}`)],
    [
      "many integers that are kept",
      () => bodyWith('"hi"', `],"seeds":[${Array(49_900).fill("9007199254740993").join()}`),
    ],
    [
      "many texts",
      () =>
        bodyWith(
          '"hi"',
          `],"metadata":[${Array(49_000)
            .fill(`"${"x".repeat(380)}"`)
            .join()}`,
        ),
    ],
    ["many names", () => bodyWith('"hi"', `],"metadata":[{${manyNames(40)}}`)],
    ["names that are too long together", () => bodyWith('"hi"', `],"metadata":[{${manyNames(380)}}`)],
    ["a repeated member", () => bodyWith('"hi"', `],"model":"talk","metadata":["${"x".repeat(SIZE)}"`)],
  ];
  test.each(isSoak ? bodies : bodies.slice(0, 1))("while a chat of 19 MiB passes: %s", async (_name, body) => {
    const grownMb = await expectShortTurns(body(), () => answerWith("Yes."));
    expect(grownMb).toBeLessThan(MAX_GROWTH_MB);
  });

  test.skipIf(!isSoak).each(texts)("while an answer of 19 MiB passes, and is replayed: %s", async (_name, text) => {
    const json = `"${text()}"`;
    const grownMb = await expectShortTurns(bodyWith('"hi"'), () => answerWith(JSON.parse(json) as string));
    expect(grownMb).toBeLessThan(MAX_GROWTH_MB);
    await expectShortTurns(bodyWith('"hi"'), () => null);
  });

  const manyValues = Array(3_000).fill({ a: {} });
  test.each<[string, object[]]>([
    ["many values", Array<object>(soakCount(8, 40)).fill({ ...textChunk("one"), values: manyValues })],
    [
      "many values in a delta",
      Array<object>(soakCount(8, 40)).fill({ choices: [{ index: 0, delta: { content: "one", values: manyValues } }] }),
    ],
    ["one letter each", Array<object>(soakCount(3_000, 20_000)).fill(textChunk("a"))],
  ])("while chunks pass: %s", async (_name, chunks) => {
    const body = bodyWith('"hi"', '],"stream":true,"stop":["x"');
    await expectShortTurns(body, () => streamEvents(...chunks, textChunk("", "stop"), DONE), "/v1/chat/completions");
  });
});

const manyNames = (length: number) =>
  Array.from({ length: 48_000 }, (_, at) => `"${String(at).padStart(length, "x")}":1`).join();

const bodyWith = (content: string, rest = "") =>
  Buffer.from(`{"model":"talk","max_tokens":5,"messages":[{"role":"user","content":${content}}${rest}]}`);

const answerWith = (content: string): Responder =>
  completeWith({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] });

/**
 * Sends a chat, or the last one again if there is no responder, until a run has no long turn, `MAX_RUNS` times at most.
 * Returns the peak growth of the hub's memory in the first run, in MB: later runs add the garbage of earlier ones.
 */
async function expectShortTurns(body: Buffer, respond: () => Responder | null, url = CHAT): Promise<number> {
  const before = measureMemory(hub.child.pid!);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, measureMemory(hub.child.pid!))), 50);
  const turns = [await send(body, respond(), url)];
  clearInterval(watch);
  // The shortest of the runs counts: a virtual machine that is paused counts the pause as processor time.
  while (turns.length < MAX_RUNS && Math.min(...turns) >= MAX_TURN_MS) turns.push(await send(body, respond(), url));
  expect(Math.min(...turns), `longest turns: ${turns.join(", ")} ms`).toBeLessThan(MAX_TURN_MS);
  return peak - before;
}

/** Returns whether a body is rejected before the upstream is called: for a repeated member, or for its names. */
const isRejected = (body: Buffer) =>
  body.includes('"model":"talk","metadata"') || body.includes(`[{"${"x".repeat(100)}`);

let sends = 0;

/** Sends a chat, or the last one again, and returns the longest turn of the hub's event loop meanwhile, in milliseconds. */
async function send(body: Buffer, responder: Responder | null, url = CHAT): Promise<number> {
  upstream.requests.length = 0;
  if (responder && !isRejected(body)) upstream.respondNext(responder);
  writeFileSync(meterFile, "");
  const response = await fetch(hub.url + url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${customer.key}`,
      "content-type": "application/json",
      // Its fingerprint is computed, and its answer is stored.
      "idempotency-key": String(responder ? (sends += 1) : sends),
    },
    body: new Uint8Array(body),
  });
  const text = await response.text();
  if (response.status !== (isRejected(body) ? 400 : 200)) throw new Error(text.slice(0, 500));
  await sleep(20);
  return Math.max(0, ...readFileSync(meterFile, "utf8").split("\n").map(Number));
}
