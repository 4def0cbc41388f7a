import { expect, test } from "vitest";
import { modelOf } from "../../../test/catalogue";
import type { TokenPricing } from "../../catalogue/pricing";
import { runAtOnce } from "../../lib/slices";
import { estimateChat } from "./estimate-chat";
import { maxTokens, unboundedParts } from "./max-tokens";
import { findUnpriced } from "./reach";

const pricingOf = (llm: string) =>
  modelOf(
    `  - { id: c, llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 1000, ${llm} } }`,
  ).pricing as TokenPricing;
const priced = pricingOf("audio_input_cost_per_million: 32, context_length: 100000");
const unpriced = pricingOf("context_length: 100000");

const answer = { role: "assistant", content: null, audio: { id: "audio_1" } };
const messages = [{ role: "user", content: "Hi" }, answer, { role: "user", content: "And then?" }];

test("an earlier spoken answer may have as much audio as the context", () => {
  for (const content of [null, [{ type: "text", text: "Hello" }]]) {
    const bounds = runAtOnce(maxTokens(priced, { messages: [{ ...answer, content }] }));
    expect(bounds).toMatchObject({ input: 100_000, audio: 100_000, image: 0 });
  }
  expect(estimateChat(priced, { messages, max_tokens: 10 }).cost).toBe(100_000n * 32_000n + 10n * 2_000n);
});

test("an earlier spoken answer is rejected without a price for audio, and its length without a context", () => {
  expect(findUnpriced(unpriced, { messages })).toEqual([["messages.1.audio", "this model has no price for audio"]]);
  expect(findUnpriced(priced, { messages })).toEqual([]);
  expect(unboundedParts(messages)).toEqual(["messages.1.audio"]);
});

test("an answer without sound needs neither", () => {
  const plain = [{ role: "assistant", content: "Hello", audio: null }];
  expect(findUnpriced(unpriced, { messages: plain })).toEqual([]);
  expect(unboundedParts(plain)).toEqual([]);
  expect(runAtOnce(maxTokens(priced, { messages: plain })).audio).toBe(0);
});
