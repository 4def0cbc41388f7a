import { z } from "zod";
import { type Nano, NANO_PER_UNIT, parseDecimal } from "../../lib/money";
import { UnitTier } from "../shape-price";
import { TokenPriceList } from "../shape-tokens";
import { count, DayLimit, Id, Multiplier, Price, text } from "../shape-values";

/** With so few places, a multiplier less a discount is exact in nano, and so is a frozen price. */
const MULTIPLIER_PLACES = 6;
const DISCOUNT_PLACES = 3;

const hasPlaces = (amount: Nano, places: number) => amount % 10n ** BigInt(9 - places) === 0n;

const Discount = Price.refine(
  (amount) => amount < NANO_PER_UNIT && hasPlaces(amount, DISCOUNT_PLACES),
  `must be a part below 1 with at most ${DISCOUNT_PLACES} decimal places, such as 0.05`,
);

const Pattern = z
  .string()
  .regex(/^[a-z0-9*][a-z0-9._:*-]{0,127}$/, "must be a model's id, in which * stands for any characters");

const FixedPrice = z
  .strictObject({
    model: Id,
    llm: TokenPriceList.optional(),
    price_per_second: Price.optional(),
    pricing_tiers: z.array(UnitTier).min(1).max(100).optional(),
  })
  .refine(
    ({ llm, price_per_second: gpu, pricing_tiers: tiers }) =>
      [llm, gpu, tiers].filter((price) => price !== undefined).length === 1,
    "needs exactly one price: llm, price_per_second or pricing_tiers",
  );

const BookShape = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, "must match [a-z0-9][a-z0-9._-]* and have at most 63 characters"),
  name: text(200).optional(),
  models: z.array(Pattern).min(1).max(500).optional(),
  multipliers: z
    .array(
      z.strictObject({
        models: Pattern,
        multiplier: Multiplier.refine(
          (amount) => hasPlaces(amount, MULTIPLIER_PLACES),
          `may have at most ${MULTIPLIER_PLACES} decimal places`,
        ),
      }),
    )
    .max(200)
    .default([]),
  fixed: z.array(FixedPrice).max(500).default([]),
  volume_discounts: z
    .array(z.strictObject({ from: DayLimit.refine((from) => from > 0n, "must be above 0"), discount: Discount }))
    .max(20)
    .default([]),
  running: count(100_000).optional(),
  requests_per_minute: count(1_000_000).optional(),
  tokens_per_minute: count(1_000_000_000).optional(),
  trial_credit: Price.default(parseDecimal(0)),
});

/** Schema of the books in YAML (docs/books.md). */
export const BooksShape = z.strictObject({ books: z.array(BookShape).max(200).default([]) });

export type BookEntry = z.output<typeof BookShape>;
export type FixedEntry = BookEntry["fixed"][number];
