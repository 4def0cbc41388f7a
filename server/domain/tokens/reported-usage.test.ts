import { expect, test } from "vitest";
import { readUsage } from "./reported-usage";

const plain = { cached_input: 0, cache_write: 0, cache_write_long: 0, audio_input: 0, image_input: 0 };
const answer = { output: 20, reasoning: 0, audio_output: 0 };

const anthropic = {
  input_tokens: 12,
  cache_read_input_tokens: 1_000,
  cache_creation_input_tokens: 100,
  cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { thinking_tokens: 5 },
  service_tier: "standard",
};

test.each<[string, unknown, object]>([
  [
    "OpenAI's chat includes the parts in its totals",
    {
      prompt_tokens: 1_112,
      completion_tokens: 20,
      total_tokens: 1_132,
      prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 100, audio_tokens: 2, image_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 4, rejected_prediction_tokens: 1 },
    },
    {
      ...plain,
      input: 7,
      cached_input: 1_000,
      cache_write: 100,
      audio_input: 2,
      image_input: 3,
      output: 11,
      reasoning: 5,
      audio_output: 4,
    },
  ],
  [
    "OpenAI's responses split writes by their time to live",
    {
      input_tokens: 1_112,
      input_tokens_details: {
        cached_tokens: 1_000,
        cache_write_tokens: 100,
        cache_write_tokens_details: { ttl_30m_tokens: 60, ttl_12h_tokens: 40 },
      },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
    },
    {
      ...plain,
      input: 12,
      cached_input: 1_000,
      cache_write: 60,
      cache_write_long: 40,
      ...answer,
      output: 15,
      reasoning: 5,
    },
  ],
  [
    "Anthropic adds cached and written tokens to its input",
    anthropic,
    { ...plain, input: 12, cached_input: 1_000, cache_write: 100, ...answer, output: 15, reasoning: 5 },
  ],
  [
    "litellm names Anthropic's parts beside an inclusive total",
    { prompt_tokens: 1_112, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 100, completion_tokens: 20 },
    { ...plain, input: 12, cached_input: 1_000, cache_write: 100, ...answer },
  ],
  [
    "Gemini adds thoughts to its candidates",
    { promptTokenCount: 1_012, cachedContentTokenCount: 1_000, candidatesTokenCount: 20, thoughtsTokenCount: 7 },
    { ...plain, input: 12, cached_input: 1_000, ...answer, reasoning: 7 },
  ],
  [
    "Gemini's OpenAI endpoint shows thoughts in the total alone",
    { prompt_tokens: 12, completion_tokens: 20, total_tokens: 39 },
    { ...plain, input: 12, ...answer, output: 27 },
  ],
  [
    "DeepSeek splits its prompt into hits and misses",
    { prompt_tokens: 1_012, prompt_cache_hit_tokens: 1_000, prompt_cache_miss_tokens: 12, completion_tokens: 20 },
    { ...plain, input: 12, cached_input: 1_000, ...answer },
  ],
  [
    "xAI counts reasoning beside its completion",
    {
      prompt_tokens: 12,
      completion_tokens: 20,
      total_tokens: 39,
      completion_tokens_details: { reasoning_tokens: 7 },
    },
    { ...plain, input: 12, ...answer, reasoning: 7 },
  ],
  [
    "Mistral has totals alone",
    { prompt_tokens: 12, completion_tokens: 20, total_tokens: 32, unknown: { a: 1 } },
    { ...plain, input: 12, ...answer },
  ],
])("%s", (_name, usage, tokens) => {
  expect(readUsage(usage)).toMatchObject({ tokens, isImplausible: false });
});

test("writes that are not split have the longest time to live that the request asked for", () => {
  const usage = {
    ...anthropic,
    cache_creation_input_tokens: 150,
    cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
  };
  expect(readUsage(usage)).toMatchObject({ tokens: { input: 12, cache_write: 110, cache_write_long: 40 } });
  expect(readUsage(usage, { writesLong: true })).toMatchObject({
    tokens: { input: 12, cache_write: 60, cache_write_long: 90 },
  });
});

test.each<[string, object, object]>([
  ["a split above its total", { ...anthropic, cache_creation_input_tokens: 0 }, { input: 12, cache_write: 0 }],
  [
    "more cached tokens than the prompt has",
    { prompt_tokens: 10, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 11, cache_write_tokens: 5 } },
    { input: 0, cached_input: 10, cache_write: 0, output: 20 },
  ],
  [
    "more reasoning than the answer has, whose total is known",
    { prompt_tokens: 10, completion_tokens: 20, completion_tokens_details: { reasoning_tokens: -1 } },
    { input: 10, output: 20, reasoning: 0 },
  ],
  [
    "parts that are no counts",
    { prompt_tokens: 10, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 1e12, audio_tokens: "2" } },
    { input: 10, cached_input: 0, audio_input: 0 },
  ],
])("clamps %s", (_name, usage, tokens) => {
  expect(readUsage(usage)).toMatchObject({ tokens, isImplausible: true });
});

test.each([
  null,
  undefined,
  7,
  "usage",
  [],
  {},
  { prompt_tokens: -1, completion_tokens: 1e12 },
  { prompt_tokens: 0.5 },
])("knows no totals of %j", (usage) => {
  expect(readUsage(usage)).toMatchObject({ input: null, output: null, tokens: { input: 0, output: 0 } });
});
