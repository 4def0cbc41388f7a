import { expect, test } from "vitest";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openChatHost, userMessages } from "../chat/host";
import { completeWith } from "../chat/upstream";
import { openStream, parseChunks } from "./read-stream";
import { DONE, streamEvents, textChunk } from "./stream-upstream";

const host = await openChatHost();
const TEXT = "The capital of France is Paris, and its tower is made of iron.";
/** By the hub's own count: two messages' overhead with their role and text, and the answer's words and punctuation. */
const PROMPT = 8;
const ANSWER = 15;

const details = (reasoning_tokens: number) => ({ completion_tokens_details: { reasoning_tokens } });

test.each<[string, unknown, [number, number], string?]>([
  ["a report", { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 }, [4, 3]],
  ["no report", undefined, [PROMPT, ANSWER]],
  ["a report of nothing", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, [PROMPT, ANSWER]],
  ["a report of half", { prompt_tokens: 4 }, [4, ANSWER]],
  ["a report of no text that is true", { prompt_tokens: 4, completion_tokens: 0 }, [4, 0], ""],
  ["reasoning within the completion", { prompt_tokens: 4, completion_tokens: 50, ...details(30) }, [4, 50]],
  [
    "reasoning within the total",
    { prompt_tokens: 4, completion_tokens: 50, total_tokens: 54, ...details(30) },
    [4, 50],
  ],
  [
    "reasoning beside the completion, by the total",
    { prompt_tokens: 4, completion_tokens: 50, total_tokens: 84, ...details(30) },
    [4, 80],
  ],
  [
    "reasoning beside the completion, which has fewer",
    { prompt_tokens: 4, completion_tokens: 5, ...details(30) },
    [4, 35],
  ],
  [
    "reasoning beside the completion, without details",
    { prompt_tokens: 4, completion_tokens: 5, reasoning_tokens: 30 },
    [4, 35],
  ],
  ["impossible reasoning", { prompt_tokens: 4, completion_tokens: 5, ...details(-30) }, [4, 5]],
])("charges a whole chat and a streamed one alike by %s", async (_case, usage, [input, output], text = TEXT) => {
  const { key } = await newCustomer(host.hub);
  const body = { model: "talk", messages: userMessages("hello") };

  const message = { role: "assistant", content: text };
  host.upstream.respondNext(completeWith({ choices: [{ index: 0, message, finish_reason: "stop" }], usage }));
  const whole = await callApi(host, "POST", "/v1/chat/completions", { key, body });

  const last = usage === undefined ? [] : [{ ...textChunk(""), choices: [], usage }];
  const pieces = text.match(/.{1,5}/gu) ?? [];
  host.upstream.respondNext(
    streamEvents(...pieces.map((piece) => textChunk(piece)), textChunk("", "stop"), ...last, DONE),
  );
  const chunks = parseChunks(await (await openStream({ url: host.url, key, body })).rest());

  const expected = { prompt_tokens: input, completion_tokens: output, cost: (1_000 * input + 2_000 * output) / 1e9 };
  expect(whole.body.usage).toMatchObject(expected);
  expect(chunks.at(-1)!.usage).toMatchObject(expected);
  expect(Number(chunks.at(-1)!.usage!.total_tokens)).toBeGreaterThanOrEqual(input + output);
});
