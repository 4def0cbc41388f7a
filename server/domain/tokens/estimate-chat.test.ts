import fc from "fast-check";
import { expect, test } from "vitest";
import { modelOf } from "../../../test/catalogue";
import { seed, soakCount } from "../../../test/soak";
import type { TokenPricing } from "../../catalogue/pricing";
import { optionalTokenClasses, sumTokens, type TokenClass, type Tokens } from "../../catalogue/token-classes";
import { parseDecimal } from "../../lib/money";
import { computeCost } from "../pricing";
import { tokenCost } from "./token-cost";
import { estimateChat, estimateTokenCost } from "./estimate-chat";
import type { MaxTokens } from "./max-tokens";
import type { TokenPrice } from "./token-price";
import { findUnpriced } from "./reach";
import { readUsage } from "./reported-usage";

const pricingOf = (llm: string) =>
  modelOf(`  - { id: c, llm: { max_output_tokens: 1000, ${llm.replaceAll(/\s+/g, " ")} } }`).pricing as TokenPricing;

const opus = pricingOf(`input_cost_per_million: 4, output_cost_per_million: 20, cached_input_cost_per_million: 0.2,
  cache_write_cost_per_million: 5, cache_write_long_cost_per_million: 8`);
const messages = [{ role: "user", content: "hi" }];
const costOf = (pricing: TokenPricing, usage: unknown, input: Record<string, unknown> = { messages }) => {
  const { price } = estimateChat(pricing, input);
  const { tokens, serviceTier } = readUsage(usage, { writesLong: price.writes_long });
  return tokenCost(price, { tokens, serviceTier });
};
const anthropic = {
  input_tokens: 12,
  cache_read_input_tokens: 1_000,
  cache_creation_input_tokens: 100,
  output_tokens: 20,
};

test("what JSON escapes counts with its escapes, and other text with its bytes", () => {
  for (let code = 0; code < 0x1_00_ff; code += code < 0x200 ? 1 : 0x71) {
    const options = { stop: `a${String.fromCodePoint(code)}` };
    const { price } = estimateChat(opus, { messages: [], ...options });
    expect(price.most_input_tokens).toBe(512 + 2 * Buffer.byteLength(JSON.stringify(options)));
  }
});

test("classes cost their own prices, exactly", () => {
  expect(costOf(opus, anthropic)).toBe(parseDecimal("0.001148"));
});

test("the same counts cost the same in every maker's form", () => {
  const openAi = {
    prompt_tokens: 1_112,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 100 },
  };
  expect(costOf(opus, openAi)).toBe(costOf(opus, anthropic));
  const gemini = { promptTokenCount: 12, candidatesTokenCount: 13, thoughtsTokenCount: 7 };
  const grok = {
    prompt_tokens: 12,
    completion_tokens: 13,
    total_tokens: 32,
    completion_tokens_details: { reasoning_tokens: 7 },
  };
  expect(costOf(opus, gemini)).toBe(12n * 4_000n + 20n * 20_000n);
  expect(costOf(opus, grok)).toBe(costOf(opus, gemini));
});

test("writes whose time to live is not known cost the longest that was asked for", () => {
  const usage = {
    ...anthropic,
    cache_creation_input_tokens: 150,
    cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
  };
  const rest = 12n * 4_000n + 1_000n * 200n + 20n * 20_000n;
  expect(costOf(opus, usage)).toBe(rest + 110n * 5_000n + 40n * 8_000n);
  const marked = [
    { role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral", ttl: "1h" } }] },
  ];
  expect(costOf(opus, usage, { messages: marked })).toBe(rest + 60n * 5_000n + 90n * 8_000n);
});

const long = (above: number) =>
  pricingOf(`input_cost_per_million: 2, output_cost_per_million: 10, cached_input_cost_per_million: 0.1,
  long_context: [{ above: ${above}, input_cost_per_million: 4, output_cost_per_million: 15, cached_input_cost_per_million: 0.2 }]`);

test.each([
  [272_000, 272_000, 272_001],
  [199_999, 199_999, 200_000],
])("a request above %i tokens costs the prices of its length, whatever its classes", (above, shorter, longer) => {
  const usage = (prompt: number, cached: number) => ({
    prompt_tokens: prompt,
    completion_tokens: 1,
    prompt_tokens_details: { cached_tokens: cached },
  });
  expect(costOf(long(above), usage(shorter, 0))).toBe(BigInt(shorter) * 2_000n + 10_000n);
  expect(costOf(long(above), usage(longer, 0))).toBe(BigInt(longer) * 4_000n + 15_000n);
  expect(costOf(long(above), usage(longer, longer))).toBe(BigInt(longer) * 200n + 15_000n);
});

test("a class without a price costs the plain tokens of the same length", () => {
  const pricing = pricingOf(`input_cost_per_million: 2, output_cost_per_million: 10, cached_input_cost_per_million: 0.1,
    long_context: [{ above: 5, input_cost_per_million: 4, output_cost_per_million: 15 }]`);
  const { price } = estimateChat(pricing, { messages });
  const tokens = { input: 0, cached_input: 6, output: 0, reasoning: 1 };
  expect(tokenCost(price, { tokens, serviceTier: null })).toBe(6n * 4_000n + 15_000n);
});

test("the tier that served multiplies the price, and the hold covers the dearest that may serve", () => {
  const pricing = pricingOf(
    `input_cost_per_million: 2, output_cost_per_million: 10, service_tiers: { flex: 0.5, priority: 2.5 }`,
  );
  const most = { input: 100, audio: 0, image: 0, output: 10 };
  const hold = (tier: string | null = null) =>
    estimateTokenCost(pricing, most, { writes: null, makesAudio: false, serviceTier: tier });
  const { price, cost } = hold();
  const served = (serviceTier: string | null) => tokenCost(price, { tokens: { input: 3, output: 1 }, serviceTier });
  expect(served(null)).toBe(16_000n);
  expect(served("flex")).toBe(8_000n);
  expect(served("priority")).toBe(40_000n);
  expect(served("constructor")).toBe(16_000n);
  expect(hold("default").cost).toBe(cost);
  expect(hold("flex").cost).toBe(cost);
  for (const tier of ["auto", "priority"]) expect(hold(tier).cost).toBe((cost * 5n) / 2n);
});

test("the hold counts what a request can reach, at its dearest", () => {
  const hold = (pricing: TokenPricing, tokens: Partial<MaxTokens>, reach = {}) =>
    estimateTokenCost(
      pricing,
      { input: 100, audio: 0, image: 0, output: 10, ...tokens },
      { writes: null, makesAudio: false, serviceTier: null, ...reach },
    ).cost;
  expect(hold(opus, {})).toBe(100n * 4_000n + 10n * 20_000n);
  expect(hold(opus, {}, { writes: "short" })).toBe(100n * 5_000n + 10n * 20_000n);
  expect(hold(opus, {}, { writes: "long" })).toBe(100n * 8_000n + 10n * 20_000n);
  expect(hold(long(100), {})).toBe(100n * 2_000n + 10n * 10_000n);
  expect(hold(long(99), {})).toBe(100n * 4_000n + 10n * 15_000n);
  const media = pricingOf(`input_cost_per_million: 2, output_cost_per_million: 10, audio_input_cost_per_million: 32,
    image_input_cost_per_million: 5, audio_output_cost_per_million: 64, reasoning_cost_per_million: 12`);
  expect(hold(media, { audio: 30, image: 20 })).toBe(30n * 32_000n + 20n * 5_000n + 50n * 2_000n + 10n * 12_000n);
  expect(hold(media, { audio: 90, image: 20 }, { makesAudio: true })).toBe(
    90n * 32_000n + 10n * 5_000n + 10n * 64_000n,
  );
});

const marked = (ttl?: string) => ({ cache_control: { type: "ephemeral", ttl } });
const plainPrices = pricingOf("input_cost_per_million: 1, output_cost_per_million: 2");
const shortWrites = pricingOf("input_cost_per_million: 1, output_cost_per_million: 2, cache_write_cost_per_million: 3");

test.each<[string, TokenPricing, Record<string, unknown>, string[]]>([
  [
    "a mark of a part",
    plainPrices,
    { messages: [{ role: "user", content: [{ type: "text", ...marked() }] }] },
    ["messages.0.content.0.cache_control"],
  ],
  [
    "a mark of a tool",
    plainPrices,
    { tools: [{}, marked()], ...marked("5m") },
    ["cache_control", "tools.1.cache_control"],
  ],
  ["a long cache", shortWrites, { messages: [{ role: "user", ...marked("1h") }] }, ["messages.0.cache_control.ttl"]],
  ["a long cache of OpenAI's", shortWrites, { prompt_cache_options: { ttl: "12h" } }, ["prompt_cache_options.ttl"]],
  ["OpenAI's usual cache", plainPrices, { prompt_cache_options: { mode: "explicit", ttl: "30m" } }, []],
  ["audio", plainPrices, { messages: [{ content: [{ type: "input_audio" }] }] }, ["messages.0.content.0"]],
  ["spoken answers", plainPrices, { modalities: ["text", "audio"] }, ["modalities"]],
  ["a dearer tier", plainPrices, { service_tier: "priority" }, ["service_tier"]],
  ["a tier by the name of a member", plainPrices, { service_tier: "constructor" }, ["service_tier"]],
  ["priced writes", shortWrites, { messages: [{ role: "user", ...marked() }], service_tier: "flex" }, []],
  [
    "a schema with a member of that name",
    plainPrices,
    { tools: [{ function: { parameters: { properties: marked() } } }] },
    [],
  ],
])("finds what has no price: %s", (_name, pricing, input, places) => {
  expect(findUnpriced(pricing, input).map(([place]) => place)).toEqual(places);
});

const nano = fc.bigInt({ min: 0n, max: 10n ** 12n });
const prices = fc.record({
  input: nano,
  output: nano,
  ...Object.fromEntries(optionalTokenClasses.map((name) => [name, fc.option(nano, { nil: undefined })])),
}) as fc.Arbitrary<TokenPricing["perMillion"]>;
const pricing: fc.Arbitrary<TokenPricing> = fc.record({
  by: fc.constant("token"),
  perMillion: prices,
  longContext: fc
    .uniqueArray(fc.record({ above: fc.integer({ min: 1, max: 1_000 }), perMillion: prices }), {
      maxLength: 2,
      selector: ({ above }) => above,
    })
    .map((entries) => entries.sort((one, other) => one.above - other.above)),
  serviceTiers: fc.dictionary(fc.constantFrom("flex", "priority"), fc.bigInt({ min: 0n, max: 10n ** 10n })),
  writesImplicitly: fc.boolean(),
  contextLength: fc.constant(null),
  maxOutputTokens: fc.constant(1_000),
});
const share = fc.double({ min: 0, max: 1, noNaN: true });

test("no usage within a request's bounds costs more than the hold, or less than nothing", () => {
  fc.assert(
    fc.property(
      pricing,
      fc.constantFrom(null, "short" as const, "long" as const),
      fc.boolean(),
      fc.constantFrom(null, "auto", "flex", "priority", "other"),
      fc.record({ input: fc.nat(2_000), audio: fc.nat(900), image: fc.nat(900), output: fc.nat(1_000) }),
      fc.array(share, { minLength: 9, maxLength: 9 }),
      (priced, writes, makesAudio, requested, bound, shares) => {
        const tokens = {
          ...bound,
          audio: Math.min(bound.audio, bound.input),
          image: Math.min(bound.image, bound.input),
        };
        const { price, cost: hold } = estimateTokenCost(priced, tokens, { writes, makesAudio, serviceTier: requested });
        const serviceTier = requested === "auto" ? "priority" : requested;
        const usage = takeShares(tokens, shares, { writes, makesAudio });
        const cost = tokenCost(price, { tokens: usage, serviceTier });
        // Every real provider sells cached tokens for less than plain ones; here they may cost more.
        const isCheap = [price, ...(price.long_context ?? [])].every(
          ({ cached_input_per_million: cached, input_per_million: plain }) => cached === undefined || cached <= plain,
        );
        expect(cost).toBeGreaterThanOrEqual(0n);
        if (isCheap) expect(cost).toBeLessThanOrEqual(hold);
        const charged = computeCost(price, hold, { tokens: usage, serviceTier });
        expect(charged).toBe(cost);
      },
    ),
    { seed, numRuns: soakCount(2_000, 100_000) },
  );
});

/** Returns a usage within the bounds of a request. */
function takeShares(
  bound: MaxTokens,
  shares: number[],
  { writes, makesAudio }: { writes: string | null; makesAudio: boolean },
): Tokens {
  const take = (left: number, index: number) => Math.floor(left * shares[index]!);
  const input = take(bound.input, 0);
  const audio = Math.min(bound.audio, take(input, 1));
  const image = Math.min(bound.image, take(input - audio, 2));
  const cached = take(input - audio - image, 3);
  const long = writes === "long" ? take(input - audio - image - cached, 4) : 0;
  const short = writes === null ? 0 : take(input - audio - image - cached - long, 5);
  const output = take(bound.output, 6);
  const reasoning = take(output, 7);
  const spoken = makesAudio ? take(output - reasoning, 8) : 0;
  return {
    input: input - audio - image - cached - long - short,
    audio_input: audio,
    image_input: image,
    cached_input: cached,
    cache_write: short,
    cache_write_long: long,
    output: output - reasoning - spoken,
    reasoning,
    audio_output: spoken,
  };
}

test("classes of one price are interchangeable", () => {
  const inputs: TokenClass[] = [
    "input",
    "cached_input",
    "cache_write",
    "cache_write_long",
    "audio_input",
    "image_input",
  ];
  const outputs: TokenClass[] = ["output", "reasoning", "audio_output"];
  fc.assert(
    fc.property(
      fc.shuffledSubarray(inputs, { minLength: 6, maxLength: 6 }),
      fc.shuffledSubarray(outputs, { minLength: 3, maxLength: 3 }),
      fc.array(fc.nat(1_000), { minLength: 9, maxLength: 9 }),
      nano,
      (shuffledInputs, shuffledOutputs, counts, amount) => {
        const same = { by: "token", most_input_tokens: 1, most_output_tokens: 1 } as TokenPrice;
        for (const name of [...inputs, ...outputs]) same[`${name}_per_million`] = Number(amount) / 1e9;
        const assign = (names: TokenClass[]) =>
          Object.fromEntries(names.map((name, index) => [name, counts[index]])) as unknown as Tokens;
        const [one, other] = [assign([...inputs, ...outputs]), assign([...shuffledInputs, ...shuffledOutputs])];
        expect(sumTokens(other, "input")).toBe(sumTokens(one, "input"));
        const costs = [one, other].map((tokens) => tokenCost(same, { tokens, serviceTier: null }));
        expect(costs[1]).toBe(costs[0]);
      },
    ),
    { seed, numRuns: soakCount(200, 10_000) },
  );
});
