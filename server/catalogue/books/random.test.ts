import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BookSettings,
  bookSettings,
  costBy,
  priceAt,
  readBook,
  unitPrice,
} from "../../../test/books/random-books";
import { catalogueOf } from "../../../test/catalogue";
import { seed, soakCount } from "../../../test/soak";
import type { Ctx } from "../../context";
import { computeCost, type Estimate, estimateCost, type MediaPrice, type Price } from "../../domain/pricing";
import { openQuote, type QuotesHub, createQuote } from "../../domain/quotes";
import { chargeFor, type TokenPrice } from "../../domain/tokens";
import { readEnv } from "../../env";
import { NANO_PER_UNIT as NANO } from "../../lib/money";
import type { OfferedModel } from "../model";
import { type Book, findTerms } from "./book";
import { priceByBook } from "./price-by-book";

const NOW = Date.parse("2026-11-26T12:00:00Z");
const LIFETIME_MS = 15 * 60_000;
const ctxOf = (account: number, now: number) =>
  ({ hub: { secret: "first", now: () => new Date(now) }, account: { id: account } }) as unknown as Ctx<QuotesHub>;
const env = readEnv({});
const hubAt = (rate: number) => ({ env: { ...env, EUR_PER_USD: String(rate / 1_000) } });

const catalogue = catalogueOf(`
  - id: film
    output_modalities: [video]
    pricing: { per: second, times: duration, tiers: [{ match: {}, price_usd: 0.1 }] }
    parameters_schema: { type: object, properties: { duration: { type: integer, minimum: 1, maximum: 60, default: 5 } } }
    routes: [{ provider: first, upstream_model: x }, { provider: second, upstream_model: y }]
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 4000, max_output_tokens: 100 }
    routes: [{ provider: openai, upstream_model: z }]
  - { id: train, gpu: { price_per_second: 0.1, max_seconds: 1800 } }`);
const ids = ["film", "talk", "train"] as const;
type Id = (typeof ids)[number];

/** Returns a model of the catalogue at another unit price. */
function modelAt(id: Id, price: bigint): OfferedModel {
  const model = catalogue.get(id)!;
  return { ...model, pricing: priceAt(model.pricing, price) };
}

/** What is known of a purchase before its end: a rate in thousandths, and seconds of film. */
interface Asked {
  rate: number;
  duration: number;
}

/** Returns how many units a price holds at most, and how many of them have its unit price. */
function unitsOf(price: Price, { rate, duration }: Asked) {
  switch (price.by) {
    case "tier":
      return { units: BigInt(duration * rate), per: 1_000n };
    case "token":
      return { units: BigInt(price.most_input_tokens + 2 * price.most_output_tokens), per: 1_000_000n };
    case "gpu-second":
      return { units: BigInt(price.most_seconds), per: 1n };
  }
}

/** Books as the hub reads them, each before and after a change; reading them takes longer than the rest of a case. */
const books = fc
  .sample(bookSettings(), { seed, numRuns: soakCount(50, 1_000) })
  .map((settings) => ({ settings, mine: readBook("mine", settings), later: readBook("later", settings) }));

const cases = fc.record({
  id: fc.constantFrom(...ids),
  book: fc.constantFrom(...books),
  other: fc.constantFrom(...books),
  prices: fc.tuple(unitPrice(), unitPrice()),
  rates: fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 2_000 })),
  volumes: fc.tuple(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 300n })),
  duration: fc.integer({ min: 1, max: 60 }),
  usesQuote: fc.boolean(),
  account: fc.constantFrom(1, 1, 1, 2),
  age: fc.integer({ min: 0, max: 2 * LIFETIME_MS }),
  /** What each route that is tried reports; the last one succeeds. */
  attempts: fc.array(
    fc.record({
      seconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
      tokens: fc.record({ input: fc.nat(5_000), output: fc.nat(200) }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

test("nobody pays more than quoted, or the price of another account, whatever happens to catalogue, book and routes", async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      async ({ id, book, other, prices, rates, volumes, duration, usesQuote, account, age, attempts }) => {
        const input = id === "talk" ? { messages: [{ role: "user", content: "x".repeat(duration) }] } : { duration };
        /** Returns a model and its price for an account of this book. Fails unless the price is what the documentation says. */
        const see = (settings: BookSettings, read: Book, at: 0 | 1) => {
          const [price, rate, volume] = [prices[at], rates[at], volumes[at]];
          const model = priceByBook(modelAt(id, price), findTerms(read, volume * NANO));
          expect(model !== null).toBe(settings.sells);
          if (!model) return null;
          const estimate = estimateCost(hubAt(rate), model, input);
          const bought = { price, volume, ...unitsOf(estimate.price, { rate, duration }) };
          expect(estimate.cost).toBe(costBy(settings, bought));
          expect(estimate.price.book).toMatchObject({ id: read.id, revision: 7 });
          return { model, settings, bought, ...estimate };
        };
        const before = see(book.settings, book.mine, 0);
        // Later, the account is on another book, and the catalogue and the rate have changed.
        const now = see(other.settings, other.later, 1);
        if (!before || !now) return;
        let held: Estimate = { cost: now.cost, price: now.price };
        if (usesQuote && id !== "talk") {
          const quote = (await createQuote(ctxOf(1, NOW), { model: before.model, input }, before.price as MediaPrice))!;
          const opened = await openQuote(ctxOf(account, NOW + age), { model: now.model, input }, quote.id);
          const isValid = account === 1 && age < LIFETIME_MS;
          expect(opened).toEqual(isValid ? { cost: before.cost, price: before.price } : null);
          held = opened ?? held;
        }
        // The charge is of the route that succeeds; what the others report, and what is stored as JSON, changes nothing.
        const stored = JSON.parse(JSON.stringify(held.price)) as Price;
        for (const { seconds, tokens } of attempts) {
          const cost = computeCost(stored, held.cost, { seconds, tokens: { ...tokens } });
          expect(cost >= 0n).toBe(true);
          if (stored.by !== "token") expect(cost <= held.cost).toBe(true);
          else {
            const used = { ...now.bought, units: BigInt(tokens.input + 2 * tokens.output) };
            expect(cost).toBe(costBy(now.settings, used));
            expect(chargeFor(stored satisfies TokenPrice, held.cost, cost) <= held.cost).toBe(true);
          }
        }
      },
    ),
    { seed, numRuns: soakCount(100, 1_000_000) },
  );
}, 3_600_000);
