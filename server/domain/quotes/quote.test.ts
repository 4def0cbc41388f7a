import fc from "fast-check";
import { expect, test } from "vitest";
import { seed, soakCount } from "../../../test/soak";
import { modelOf } from "../../../test/catalogue";
import type { Model } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { readEnv } from "../../env";
import { computeCost, estimateCost, type MediaPrice, type Usage } from "../pricing";
import { MAX_QUOTE_LENGTH, openQuote, type QuotesHub, createQuote } from "./quote";

const NOW = Date.parse("2026-11-26T12:00:00Z");
const LIFETIME_MS = 15 * 60_000;
const ctxOf = (account: number, secret: string, now: number, previousSecret?: string) =>
  ({
    hub: { secret, previousSecret, now: () => new Date(now) },
    account: { id: account },
  }) as unknown as Ctx<QuotesHub>;

const film = modelOf(`
  - id: film
    output_modalities: [video]
    pricing: { per: second, times: duration, tiers: [{ match: {}, price_usd: 0.1, next_price_usd: 0.05 }] }
    parameters_schema: { type: object, properties: { duration: { type: integer, minimum: 1, maximum: 60, default: 5 } } }
    routes: [{ provider: first, upstream_model: x }]`);
const trainer = modelOf("  - { id: film, gpu: { price_per_second: 0.0008, max_seconds: 1800 } }");

const nano = fc.bigInt({ min: 0n, max: 10n ** 11n });
/** A catalogue's model at some time: priced by second of video, or of GPU time. */
const models: fc.Arbitrary<Model> = fc.oneof(
  fc.record({ first: nano, next: nano }).map((price): Model => {
    if (film.pricing.by !== "tier") throw new Error("not priced by tier");
    return { ...film, pricing: { ...film.pricing, tiers: [{ match: {}, price, cost: price }] } };
  }),
  fc
    .record({ pricePerSecond: nano, maxSeconds: fc.integer({ min: 1, max: 86_400 }) })
    .map((pricing): Model => ({ ...trainer, pricing: { by: "gpu-second", ...pricing } })),
);
const cases = fc.record({
  quoted: models,
  now: models,
  rates: fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 2_000 })),
  account: fc.constantFrom(1, 1, 1, 2),
  input: fc.record({ duration: fc.integer({ min: 1, max: 60 }) }),
  later: fc.constantFrom(undefined, undefined, undefined, { duration: 7 }, { duration: 8 }),
  age: fc.integer({ min: 0, max: 2 * LIFETIME_MS }),
  isRotated: fc.boolean(),
  usages: fc.array(
    fc.record({ seconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }) }),
    { maxLength: 4 },
  ),
});

test("nothing costs more than its quote, at no route, in no other account, for no other input and not later", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ quoted, now, rates, account, input, later = input, age, isRotated, usages }) => {
      const hubAt = (rate: number) => ({ env: { ...readRate, EUR_PER_USD: String(rate / 1_000) } });
      const { cost, price } = estimateCost(hubAt(rates[0]), quoted, input);
      const { id } = (await createQuote(ctxOf(1, "first", NOW), { model: quoted, input }, price as MediaPrice))!;
      expect(id).toMatch(/^[\w-]+$/);
      expect(id.length).toBeLessThanOrEqual(MAX_QUOTE_LENGTH);
      const ctx = isRotated ? ctxOf(account, "second", NOW + age, "first") : ctxOf(account, "first", NOW + age);
      const opened = await openQuote(ctx, { model: now, input: later }, id);
      const isValid =
        account === 1 && later.duration === input.duration && age < LIFETIME_MS && now.pricing.by === quoted.pricing.by;
      expect(opened).toEqual(isValid ? { cost, price } : null);
      // Whatever the routes that are tried report, the charge is within the quote.
      for (const usage of usages as Usage[]) {
        const charge = computeCost(price, cost, usage);
        expect(charge >= 0n && charge <= cost).toBe(true);
      }
    }),
    { seed, numRuns: soakCount(300, 1_000_000) },
  );
}, 3_600_000);

const readRate = readEnv({});

test("a price that is too long has no quote", async () => {
  const price: MediaPrice = { by: "tier", match: { style: "x".repeat(2_000) }, price_usd: 1, eur_per_usd: 1 };
  expect(await createQuote(ctxOf(1, "first", NOW), { model: film, input: {} }, price)).toBeNull();
});
