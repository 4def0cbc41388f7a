import fc from "fast-check";
import type { Book } from "../../server/catalogue/books/book";
import { parseBooks } from "../../server/catalogue/books/parse-books";
import type { Pricing } from "../../server/catalogue/pricing";
import { divCeil, formatDecimal } from "../../server/lib/money";

/** The price of a unit of each model, in nano: of a second of `film`, a million tokens of `talk`, a GPU second of `train`. */
export const unitPrice = (max = 10n ** 11n) => fc.bigInt({ min: 0n, max });

/** Returns a model's pricing at another unit price. */
export function priceAt(pricing: Pricing, price: bigint): Pricing {
  const unit = { first: price, next: price };
  switch (pricing.by) {
    case "tier":
      return { ...pricing, tiers: [{ match: {}, price: unit, cost: unit }] };
    case "token":
      return { ...pricing, perMillion: { input: price, output: 2n * price } };
    case "gpu-second":
      return { ...pricing, pricePerSecond: price };
  }
}

/** A book as an operator writes it: multiplier in millionths, discounts in thousandths, a fixed price in nano. */
export const bookSettings = (maxPrice?: bigint) =>
  fc.record({
    sells: fc.boolean(),
    multiplier: fc.option(fc.bigInt({ min: 0n, max: 100_000_000n }), { nil: undefined }),
    discounts: fc.option(fc.tuple(fc.integer({ min: 1, max: 499 }), fc.integer({ min: 500, max: 999 })), {
      nil: undefined,
    }),
    fixed: fc.option(unitPrice(maxPrice), { nil: undefined }),
  });
export type BookSettings = ReturnType<typeof bookSettings> extends fc.Arbitrary<infer T> ? T : never;

/** The spending in a month, in EUR, from which each of the two discounts applies. */
const VOLUMES = [100, 200];

/** Returns books in the form in which operators write them. They sell `film`, `talk` and `train`, or only `other`. */
export const writeBooks = (books: Iterable<[id: string, BookSettings]>): string =>
  JSON.stringify({
    books: Array.from(books, ([id, { sells, multiplier, discounts, fixed }]) => ({
      id,
      models: sells ? ["fi*", "t*"] : ["other"],
      multipliers: multiplier === undefined ? [] : [{ models: "*", multiplier: formatDecimal(multiplier * 1_000n) }],
      fixed: fixed === undefined ? [] : writeFixed(fixed),
      volume_discounts: (discounts ?? []).map((discount, index) => ({
        from: VOLUMES[index],
        discount: discount / 1_000,
      })),
    })),
  });

const writeFixed = (price: bigint) => [
  { model: "film", pricing_tiers: [{ match: {}, price_usd: formatDecimal(price) }] },
  { model: "talk", llm: writeTokens(price) },
  { model: "train", price_per_second: formatDecimal(price) },
];

/** An output token costs two input tokens. */
const writeTokens = (price: bigint) => ({
  input_cost_per_million: formatDecimal(price),
  output_cost_per_million: formatDecimal(2n * price),
});

export const readBook = (id: string, settings: BookSettings): Book =>
  parseBooks(writeBooks([[id, settings]]), "books", 7).books[0]!;

/** A purchase of `units`, of which `per` cost the catalogue's `price`, by an account that has spent `volume` EUR in the month. */
export interface Purchase {
  price: bigint;
  units: bigint;
  per: bigint;
  volume: bigint;
}

/** Returns what a purchase costs by the rules of the documentation, in exact arithmetic and rounded up once. */
export function costBy(settings: BookSettings | null, { price, units, per, volume }: Purchase): bigint {
  const { fixed, multiplier = 1_000_000n, discounts: [low, high] = [0, 0] } = settings ?? {};
  if (fixed !== undefined) return divCeil(fixed * units, per);
  const discount = volume >= VOLUMES[1]! ? high : volume >= VOLUMES[0]! ? low : 0;
  return divCeil(price * units * multiplier * BigInt(1_000 - discount), per * 1_000_000n * 1_000n);
}
