import fc from "fast-check";
import { expect, test } from "vitest";
import { modelOf } from "../../../test/catalogue";
import { seed, soakCount } from "../../../test/soak";
import type { Ctx } from "../../context";
import { computeCost, estimateCost, type MediaPrice, type Usage } from "../../domain/pricing";
import { openQuote, type QuotesHub, signQuote } from "../../domain/quotes";
import { readEnv } from "../../env";
import { divCeil, formatDecimal, NANO_PER_UNIT as NANO } from "../../lib/money";
import type { OfferedModel } from "../model";
import { type Book, findTerms } from "./book";
import { parseBooks } from "./parse-books";
import { priceByBook } from "./price-by-book";

const NOW = Date.parse("2026-11-26T12:00:00Z");
const LIFETIME_MS = 15 * 60_000;
const ctxOf = (account: number, now: number) =>
  ({ hub: { secret: "first", now: () => new Date(now) }, account: { id: account } }) as unknown as Ctx<QuotesHub>;
const env = readEnv({});
const hubAt = (rate: number) => ({ env: { ...env, EUR_PER_USD: String(rate / 1_000) } });

const film = modelOf(`
  - id: film
    output_modalities: [video]
    pricing: { per: second, times: duration, tiers: [{ match: {}, price_usd: 0.1 }] }
    parameters_schema: { type: object, properties: { duration: { type: integer, minimum: 1, maximum: 60, default: 5 } } }
    routes: [{ provider: first, upstream_model: x }, { provider: second, upstream_model: y }]`) as OfferedModel;
/** Returns the film at a catalogue's price per second, in nano-dollars. */
const filmAt = (price: bigint): OfferedModel => {
  const unit = { first: price, next: price };
  return {
    ...film,
    pricing: { ...film.pricing, tiers: [{ match: {}, price: unit, cost: unit }] } as OfferedModel["pricing"],
  };
};

/** A book as an operator writes it: multiplier in millionths, discounts in thousandths, a fixed price in nano-dollars. */
const bookSettings = fc.record({
  sells: fc.boolean(),
  multiplier: fc.option(fc.bigInt({ min: 0n, max: 100_000_000n }), { nil: undefined }),
  discounts: fc.option(fc.tuple(fc.integer({ min: 1, max: 499 }), fc.integer({ min: 500, max: 999 })), {
    nil: undefined,
  }),
  fixed: fc.option(fc.bigInt({ min: 0n, max: 10n ** 11n }), { nil: undefined }),
});
type Settings = typeof bookSettings extends fc.Arbitrary<infer T> ? T : never;

const writeBook = (id: string, { sells, multiplier, discounts, fixed }: Settings) =>
  JSON.stringify({
    books: [
      {
        id,
        models: [sells ? "fi*" : "other"],
        multipliers:
          multiplier === undefined ? [] : [{ models: "*l*", multiplier: formatDecimal(multiplier * 1_000n) }],
        fixed:
          fixed === undefined
            ? []
            : [{ model: "film", pricing_tiers: [{ match: {}, price_usd: formatDecimal(fixed) }] }],
        volume_discounts: (discounts ?? []).map((discount, index) => ({
          from: 100 * (index + 1),
          discount: discount / 1_000,
        })),
      },
    ],
  });
const readBook = (id: string, settings: Settings): Book => parseBooks(writeBook(id, settings), "books", 7).books[0]!;

const cases = fc.record({
  book: bookSettings,
  other: bookSettings,
  prices: fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 11n }), fc.bigInt({ min: 0n, max: 10n ** 11n })),
  rates: fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 2_000 })),
  volumes: fc.tuple(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 300n })),
  duration: fc.integer({ min: 1, max: 60 }),
  usesQuote: fc.boolean(),
  account: fc.constantFrom(1, 1, 1, 2),
  age: fc.integer({ min: 0, max: 2 * LIFETIME_MS }),
  /** What each route that is tried reports, the last of which succeeds. */
  attempts: fc.array(
    fc.record({ seconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }) }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Returns the price of an account by the rules of the documentation, in exact arithmetic and rounded up once. */
function costBy(
  settings: Settings,
  price: bigint,
  { rate, volume, duration }: Record<"rate" | "duration", number> & { volume: bigint },
) {
  const [low, high] = settings.discounts ?? [0, 0];
  const discount = volume >= 200n ? high : volume >= 100n ? low : 0;
  const units = BigInt(duration) * BigInt(rate);
  if (settings.fixed !== undefined) return divCeil(settings.fixed * units, 1_000n);
  const multiplier = settings.multiplier ?? 1_000_000n;
  return divCeil(price * units * multiplier * BigInt(1_000 - discount), 1_000n * 1_000_000n * 1_000n);
}

test("nobody pays more than quoted, or the price of another account, whatever happens to catalogue, book and routes", async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      async ({ book, other, prices, rates, volumes, duration, usesQuote, account, age, attempts }) => {
        const input = { duration };
        const seen = [
          { settings: book, id: "mine", price: prices[0], rate: rates[0], volume: volumes[0] },
          // Later, the account is on another book, and the catalogue and the rate have changed.
          { settings: other, id: "later", price: prices[1], rate: rates[1], volume: volumes[1] },
        ].map(({ settings, id, price, rate, volume }) => {
          const model = priceByBook(filmAt(price), findTerms(readBook(id, settings), volume * NANO));
          expect(model !== null).toBe(settings.sells);
          if (!model) return null;
          const estimate = estimateCost(hubAt(rate), model, input);
          expect(estimate.cost).toBe(costBy(settings, price, { rate, volume, duration }));
          expect(estimate.price.book).toMatchObject({ id, revision: 7 });
          return { model, ...estimate };
        });
        const [before, now] = seen;
        if (!before || !now) return;
        let held = { cost: now.cost, price: now.price };
        if (usesQuote) {
          const quote = (await signQuote(ctxOf(1, NOW), { model: before.model, input }, before.price as MediaPrice))!;
          const opened = await openQuote(ctxOf(account, NOW + age), { model: now.model, input }, quote.id);
          const isValid = account === 1 && age < LIFETIME_MS;
          expect(opened).toEqual(isValid ? { cost: before.cost, price: before.price } : null);
          held = opened ?? held;
        }
        // The charge is of the route that succeeds; what the others report, and what is stored as JSON, changes nothing.
        const stored = JSON.parse(JSON.stringify(held.price)) as MediaPrice;
        for (const usage of attempts as Usage[]) {
          const charge = computeCost(stored, held.cost, usage);
          expect(charge >= 0n && charge <= held.cost).toBe(true);
        }
      },
    ),
    { seed, numRuns: soakCount(100, 1_000_000) },
  );
}, 3_600_000);
