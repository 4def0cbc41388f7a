import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogueWith, modelFrom } from "../../../test/catalogue";
import { seed, soakCount } from "../../../test/soak";
import type { Model, Route } from "../../catalogue/model";
import type { PriceUnit } from "../../catalogue/price-units";
import type { Pricing } from "../../catalogue/pricing";
import { readEnv } from "../../env";
import { formatDecimal, type Nano, parseDecimal } from "../../lib/money";
import { computeCost } from "./cost";
import { estimateCost } from "./estimate";
import type { TierPrice, Usage } from "./price";
import { routeCost } from "./route-cost";

const runs = { seed, numRuns: soakCount(1_000, 50_000) };
const NANO = 10n ** 9n;

const parameters = `
    parameters_schema:
      type: object
      properties:
        n: { type: integer, minimum: 1, maximum: 10, default: 2 }
        duration: { enum: ["5", "7.5", 10], default: "5" }
        seconds: { type: number, minimum: 0.001, maximum: 60, default: 5 }
        width: { type: integer, minimum: 64, maximum: 4096, default: 1024 }
        height: { type: integer, minimum: 64, maximum: 4096, default: 1024 }
        size: { enum: [square, wide], default: square }
        text: { type: string, maxLength: 5000, default: "" }
        pictures: { type: array, maxItems: 8, items: { type: string, format: uri } }
`;
const build = (pricing: string, first: Nano, next: Nano, settings = "") =>
  modelFrom(`
${settings}
providers: [{ id: up, kind: fal, api_key: k }]
models:
  - id: m
    pricing: { ${pricing}, tiers: [{ match: {}, price_usd: ${formatDecimal(first)}, next_price_usd: ${formatDecimal(next)} }] }
    routes: [{ provider: up, upstream_model: x }, { provider: up, upstream_model: y, price_usd: 0.02, when: [{ match: { size: wide }, price_usd: 0.03 }] }]
${parameters}`);

const models = new Map<string, Model>();

/** Returns a model with a price; each kind of price is parsed once. */
function priced(pricing: string, first: Nano, next: Nano): Model {
  const model = models.get(pricing) ?? build(pricing, 0n, 0n);
  models.set(pricing, model);
  const price = { first, next };
  return { ...model, pricing: { ...(model.pricing as TierPricing), tiers: [{ match: {}, price, cost: price }] } };
}
type TierPricing = Extract<Pricing, { by: "tier" }>;

const hubAt = (rate: Nano, model?: Model) => ({
  env: readEnv({ EUR_PER_USD: formatDecimal(rate) }),
  catalogue: catalogueWith(model ? [model] : []),
});
/** Returns a fraction rounded up. */
const ceil = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator;

const price = fc.bigInt({ min: 0n, max: 10n * NANO });
const rate = fc.bigInt({ min: 1n, max: 5n * NANO });

/** A price with its input, and what the input asks for in parts, of which the first ones cost the price of the first unit. */
interface Case {
  pricing: string;
  input: Record<string, unknown>;
  /** Parts of a unit. */
  parts: bigint;
  total: bigint;
  first: bigint;
  /** Usage of a part of the request, with the same members. */
  delivered: { usage: Usage; total: bigint; first: bigint };
}

const oneFirst = (total: bigint, parts: bigint) => ({ total, first: total < parts ? total : parts });

const images = fc.record({ n: fc.integer({ min: 1, max: 10 }), pictures: fc.integer({ min: 0, max: 12 }) });
const imageCase = images.map(({ n, pictures }): Case => {
  const counts = { ...oneFirst(BigInt(n), 1n), parts: 1n };
  return {
    pricing: "per: image, times: n",
    input: { n },
    ...counts,
    delivered: { usage: { pictures }, ...oneFirst(BigInt(pictures), 1n) },
  };
});

const milliseconds = fc.record({
  asked: fc.integer({ min: 1, max: 60_000 }),
  used: fc.integer({ min: 0, max: 90_000 }),
});
const secondCase = milliseconds.map(({ asked, used }): Case => ({
  pricing: "per: second, times: seconds",
  input: { seconds: asked / 1000 },
  parts: 1000n,
  ...oneFirst(BigInt(asked), 1000n),
  delivered: { usage: { seconds: used / 1000 }, ...oneFirst(BigInt(used), 1000n) },
}));
const minuteCase = milliseconds.map(({ used }): Case => ({
  pricing: "per: minute, max_minutes: 3",
  input: {},
  parts: 60_000n,
  ...oneFirst(180_000n, 60_000n),
  delivered: { usage: { seconds: used / 1000 }, ...oneFirst(BigInt(used), 60_000n) },
}));
const tokenCase = fc.nat(9_000).map((output): Case => ({
  pricing: "per: 1k_output_tokens, max_output_tokens: 6240",
  input: {},
  parts: 1000n,
  ...oneFirst(6_240n, 1000n),
  delivered: { usage: { tokens: { input: 50, output } }, ...oneFirst(BigInt(output), 1000n) },
}));
const textCase = fc.string({ unit: "grapheme", maxLength: 2000 }).map((text): Case => {
  const asked = oneFirst(BigInt([...text].length), 1000n);
  return {
    pricing: "per: 1k_characters, times: text",
    input: { text },
    parts: 1000n,
    ...asked,
    delivered: { usage: {}, ...asked },
  };
});
const side = fc.integer({ min: 64, max: 4096 });
const megapixelCase = fc
  .record({
    width: side,
    height: side,
    n: fc.integer({ min: 1, max: 10 }),
    inputs: fc.integer({ min: 0, max: 8 }),
    pictures: fc.integer({ min: 0, max: 10 }),
    megapixels: fc.option(fc.integer({ min: 1, max: 20 })),
  })
  .map(({ width, height, n, inputs, pictures, megapixels }): Case => {
    const each = BigInt(Math.ceil((width * height) / 1024 ** 2) + 3 * inputs);
    const outputs = megapixels === null ? null : megapixels * pictures;
    return {
      pricing: "per: megapixel, width: width, height: height, times: n, inputs: { pictures: 3 }",
      input: { width, height, n, pictures: Array.from({ length: inputs }, (_, index) => `https://a.b/${index}`) },
      parts: 1n,
      total: BigInt(n) * each,
      first: BigInt(n),
      delivered: {
        usage: { pictures, megapixels: outputs ?? undefined },
        total: outputs === null ? BigInt(pictures) * each : BigInt(outputs + 3 * inputs * pictures),
        first: BigInt(pictures),
      },
    };
  });
const anyCase = fc.oneof(imageCase, secondCase, minuteCase, tokenCase, textCase, megapixelCase);

test("the estimate is price × units × rate, exact and rounded up once; the cost is that of what was delivered, never more", () => {
  fc.assert(
    fc.property(anyCase, price, price, rate, (one, first, next, eurPerUsd) => {
      const exactly = (units: { total: bigint; first: bigint }) =>
        ceil((first * units.first + next * (units.total - units.first)) * eurPerUsd, one.parts * NANO);
      const { cost: estimate, price: frozen } = estimateCost(
        hubAt(eurPerUsd),
        priced(one.pricing, first, next),
        one.input,
      );
      expect(estimate).toBe(exactly(one));
      const stored = JSON.parse(JSON.stringify(frozen)) as TierPrice;
      const delivered = exactly(one.delivered);
      expect(computeCost(stored, estimate, one.delivered.usage)).toBe(delivered < estimate ? delivered : estimate);
    }),
    runs,
  );
});

test("the estimate bounds the cost of any usage, which costs the estimate if it is missing or implausible", () => {
  const odd = fc.constantFrom(-1, 1e300, NaN, Infinity, 0.5, "7", null, undefined);
  const number = fc.oneof(fc.double(), fc.integer(), odd);
  fc.assert(
    fc.property(anyCase, number, number, number, (one, pictures, megapixels, seconds) => {
      const { cost, price } = estimateCost(hubAt(NANO), priced(one.pricing, 10n, 5n), one.input);
      const usage = { pictures, megapixels, seconds, tokens: { input: 1, output: megapixels } } as Usage;
      const charge = computeCost(price, cost, usage);
      expect(charge).toBeLessThanOrEqual(cost);
      expect(charge).toBeGreaterThanOrEqual(0n);
      expect(computeCost(price, cost, {})).toBe(cost);
      expect(computeCost(price, cost, { pictures: -1, seconds: NaN })).toBe(cost);
    }),
    runs,
  );
});

test.each<[string, Record<string, unknown>, number]>([
  ["per: image", {}, 1],
  ["per: image, times: n", {}, 2],
  ["per: second, times: duration", {}, 5],
  ["per: second, times: duration", { duration: "7.5" }, 7.5],
  ["per: second, times: duration", { duration: 10 }, 10],
  ["per: 1k_characters, times: text", { text: "añ😀" }, 0.003],
  ["per: megapixel, width: width, height: height", {}, 1],
  ["per: megapixel, width: width, height: height", { width: 1025 }, 2],
  ["per: megapixel, size: { size: { square: 1, wide: 3 } }, times: n", { size: "wide" }, 6],
  [
    "per: megapixel, width: width, height: height, inputs: { pictures: 2 }",
    { pictures: ["https://a", "https://b"] },
    5,
  ],
])("counts the units of %s with %j", (pricing, input, units) => {
  const { price } = estimateCost(hubAt(NANO), build(pricing, 1n, 1n), input);
  expect(price).toMatchObject({ by: "tier", quantity: units });
});

test("a price of an earlier release has no unit and costs its estimate", () => {
  const stored: TierPrice = { by: "tier", match: {}, price_usd: 0.01, eur_per_usd: 0.92 };
  expect(computeCost(stored, 9_200_000n, { pictures: 0, megapixels: 0, seconds: 0 })).toBe(9_200_000n);
});

test("a price of a later release, whose unit is not known, costs its estimate", () => {
  const unit = "light_year" as PriceUnit;
  const stored: TierPrice = { by: "tier", match: {}, price_usd: 0.01, eur_per_usd: 0.92, unit, quantity: 3 };
  expect(computeCost(stored, 27_600_000n, { pictures: 0, megapixels: 0, seconds: 0 })).toBe(27_600_000n);
});

test("a route costs its own price times the units, or the model's before the margin", () => {
  const model = build("per: image, times: n", 40_000_000n, 10_000_000n, "margin: 1.5");
  const [bare, priced] = model.routes as [Route, Route];
  const hub = hubAt(parseDecimal("0.9"), model);
  const generation = (input: Record<string, unknown>) => ({
    model: "m",
    input,
    price: estimateCost(hub, model, input).price,
  });
  const cost = (
    route: Route,
    input: Record<string, unknown>,
    rest: { usage?: Usage; costUsd?: Nano; noted?: Nano } = {},
  ) =>
    routeCost(hub, {
      route,
      generation: generation(input),
      state: { costUsd: rest.costUsd },
      usage: rest.usage,
      attempt: { cost: rest.noted ?? null },
    });
  expect(cost(bare, { n: 3 })).toBe(parseDecimal("0.054"));
  expect(cost(bare, { n: 3 }, { usage: { pictures: 1 } })).toBe(parseDecimal("0.036"));
  expect(cost(bare, { n: 1 }, { usage: { pictures: 9 } })).toBe(parseDecimal("0.036"));
  expect(cost(priced, { n: 3 })).toBe(parseDecimal("0.054"));
  expect(cost(priced, { n: 3, size: "wide" }, { usage: { pictures: 2 } })).toBe(parseDecimal("0.054"));
  expect(cost(priced, { n: 3 }, { noted: 7n })).toBe(7n);
  expect(cost(priced, { n: 3 }, { noted: 7n, costUsd: parseDecimal("0.1") })).toBe(parseDecimal("0.09"));
  const gone = { env: hub.env, catalogue: catalogueWith([]) };
  const use = { route: bare, state: {}, attempt: { cost: null }, generation: generation({}) };
  expect(routeCost(gone, use)).toBeNull();
  expect(routeCost(hub, { ...use, route: { ...bare, provider: { ...bare.provider, kind: "sandbox" } } })).toBeNull();
});
