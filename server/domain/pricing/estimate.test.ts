import fc from "fast-check";
import { expect, test } from "vitest";
import { modelOf } from "../../../test/catalogue";
import { seed, soakCount } from "../../../test/soak";
import type { Model } from "../../catalogue/model";
import { readEnv } from "../../env";
import { isAppError } from "../../errors";
import { parseDecimal, toEuros } from "../../lib/money";
import type { TokenPricing } from "../../catalogue/pricing";
import { estimateCost } from "./estimate";
import { affordableTokens, estimateChat } from "../tokens";
import type { TokenPrice } from "../tokens";

const hubOf = (rate: string) => ({ env: readEnv({ EUR_PER_USD: rate }) });
const hub = hubOf("0.92");

const image = modelOf(`
  - id: image
    pricing_tiers:
      - { match: { resolution: 4k, hd: true }, price_usd: 0.08 }
      - { match: { resolution: 4k }, price_usd: 0.04 }
      - { match: { resolution: 1k }, price_usd: 0.01 }
      - { match: { steps: 5 }, price_usd: 0.003 }
    parameters_schema:
      type: object
      properties:
        resolution: { enum: [1k, 2k, 4k], default: 1k }
        hd: { type: boolean }
        steps: { type: integer }
`);

test.each<[Record<string, unknown>, number, Record<string, unknown>]>([
  [{}, 0.0092, { resolution: "1k" }],
  [{ resolution: "1k", steps: 5 }, 0.0092, { resolution: "1k" }],
  [{ resolution: "4k" }, 0.0368, { resolution: "4k" }],
  [{ resolution: "4k", hd: false }, 0.0368, { resolution: "4k" }],
  [{ resolution: "4k", hd: true }, 0.0736, { resolution: "4k", hd: true }],
  [{ resolution: "2k", steps: 5 }, 0.00276, { steps: 5 }],
])("the first matching tier prices %j", (input, euros, match) => {
  const { cost, price } = estimateCost(hub, image, input);
  expect(toEuros(cost)).toBe(euros);
  expect(price).toMatchObject({ by: "tier", match, eur_per_usd: 0.92 });
});

test("rejects an input without a tier with 422 and names the tiers' parameters", () => {
  let error: unknown;
  try {
    estimateCost(hub, image, { resolution: "2k" });
  } catch (thrown) {
    error = thrown;
  }
  expect(isAppError(error) && [error.code, error.extras]).toEqual([
    "no_route_available",
    { unrepresentable: ["/input/resolution", "/input/hd", "/input/steps"] },
  ]);
});

test("a GPU estimate is the price of the maximum seconds", () => {
  const trainer = modelOf("  - { id: t, gpu: { price_per_second: 0.0008, max_seconds: 1800 } }");
  expect(estimateCost(hub, trainer, {})).toEqual({
    cost: parseDecimal("1.44"),
    price: { by: "gpu-second", price_per_second: 0.0008, most_seconds: 1800 },
  });
});

const chat = (context: string) =>
  modelOf(
    `  - { id: c, llm: { input_cost_per_million: 0.15, output_cost_per_million: 0.6, max_output_tokens: 1000, ${context} } }`,
  );
const messages = [{ role: "user", content: "añ" }];

const chatTokens = (context: string, input: Record<string, unknown>) => {
  const { by, most_input_tokens, most_output_tokens } = estimateCost(hub, chat(context), input).price as TokenPrice;
  return [by, most_input_tokens, most_output_tokens];
};

test("a chat's estimate counts a token per prompt byte, the templates' tokens and the output limit", () => {
  const bytes = '{"role":"user","content":"añ"}'.length + 1;
  const maxInput = 512 + 2 * "{}".length + 16 + bytes;
  expect(estimateCost(hub, chat("context_length: null"), { messages })).toEqual({
    cost: BigInt(maxInput) * 150n + 1000n * 600n,
    price: {
      by: "token",
      input_per_million: 0.15,
      output_per_million: 0.6,
      most_input_tokens: maxInput,
      most_output_tokens: 1000,
    },
  });
  const tools = [{ type: "function", function: { name: "f" } }];
  const withTools = maxInput + 2 * (JSON.stringify({ tools }).length - 2);
  expect(chatTokens("context_length: null", { messages, tools })).toEqual(["token", withTools, 1000]);
});

test("a chat's output limit is the customer's, but at most the model's", () => {
  const allow = (limits: Record<string, unknown>) => chatTokens("context_length: null", { messages, ...limits })[2];
  expect(allow({ max_tokens: 10 })).toBe(10);
  expect(allow({ max_completion_tokens: 10 })).toBe(10);
  expect(allow({ max_tokens: 10, max_completion_tokens: 30 })).toBe(30);
  expect(allow({ max_tokens: 5_000 })).toBe(1000);
  expect(allow({ max_tokens: null })).toBe(1000);
  const [, prompt] = chatTokens("context_length: null", { messages });
  expect(chatTokens("context_length: null", { messages, max_tokens: 10 })[1]).toBe(prompt);
});

test("the context length limits the prompt and leaves room for the output", () => {
  expect(chatTokens("context_length: 300", { messages })).toEqual(["token", 300, 150]);
  expect(chatTokens("context_length: 1000", { messages })[2]).toBe(1000 - 282);
  expect(chatTokens("context_length: 8", { messages, max_tokens: 100 })).toEqual(["token", 8, 100]);
});

test("each image counts as a fixed maximum, and a part of unknown size as the whole context", () => {
  const [, text] = chatTokens("context_length: null", { messages: [{ role: "user", content: [] }] });
  const parts = (...content: unknown[]) =>
    chatTokens("context_length: 90000", { messages: [{ role: "user", content }] })[1];
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(10_000)}` } };
  expect(parts(image)).toBe(Number(text) + 50_000);
  expect(parts(image, image)).toBe(90_000);
  const spoken = { type: "text", text: "añ" };
  expect(parts(spoken)).toBe(Number(text) + JSON.stringify(spoken).length + 1);
  expect(parts({ type: "file", file: { file_id: "f" } })).toBe(90_000);
});

test("the affordable output is the largest whose estimate is covered", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 800_000n }), (available) => {
      const model = chat("context_length: null");
      const tokens = affordableTokens(estimateChat(model.pricing as TokenPricing, { messages }), available);
      const at = (max_tokens: number) => estimateCost(hub, model, { messages, max_tokens }).cost;
      if (tokens > 0) expect(at(tokens)).toBeLessThanOrEqual(available);
      if (tokens < 1000) expect(at(tokens + 1)).toBeGreaterThan(available);
    }),
    { seed, numRuns: soakCount(80, 5_000) },
  );
});

/** Generates decimals with at most nine places, and their numerators over 1e9. */
const decimal = (max: bigint, min = 0n) =>
  fc.bigInt({ min, max: max * 10n ** 9n }).map((nano) => {
    const digits = nano.toString().padStart(10, "0");
    return { nano, text: `${digits.slice(0, -9)}.${digits.slice(-9)}` };
  });

const tiered = (price: string): Model => modelOf(`  - { id: m, pricing_tiers: [{ match: {}, price_usd: ${price} }] }`);

test("USD × rate is exact, rounded up once to 1e-9 EUR, and the price has both factors", () => {
  fc.assert(
    // A rate is above 0.
    fc.property(decimal(1_000n), decimal(999_999n, 1n), (usd, rate) => {
      const { cost, price } = estimateCost(hubOf(rate.text), tiered(usd.text), {});
      const exact = usd.nano * rate.nano;
      expect(cost * 10n ** 9n).toBeGreaterThanOrEqual(exact);
      expect((cost - 1n) * 10n ** 9n).toBeLessThan(exact || 1n);
      expect(cost).toBeLessThan(2n ** 63n);
      const frozen = JSON.parse(JSON.stringify(price)) as Record<string, number>;
      expect(parseDecimal(frozen.price_usd!)).toBe(usd.nano);
      expect(parseDecimal(frozen.eur_per_usd!)).toBe(rate.nano);
    }),
    { seed, numRuns: soakCount(80, 5_000) },
  );
});

test("a price is the same as a number and as a text", () => {
  fc.assert(
    fc.property(decimal(1_000n), ({ nano, text }) => {
      const prices = [tiered(text), tiered(`"${text}"`)].map(({ pricing }) => pricing);
      for (const pricing of prices) expect(pricing).toMatchObject({ tiers: [{ price: { first: nano } }] });
    }),
    { seed, numRuns: soakCount(80, 5_000) },
  );
});
