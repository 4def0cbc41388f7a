import { parseDecimal } from "../../lib/money";
import { buildPriceList } from "../build-price-list";
import type { Book, FixedPrice } from "./book";
import type { BookEntry, FixedEntry } from "./shape";

/** Returns a book built from an entry of a revision. */
export function buildBook(entry: BookEntry, revision: number): Book {
  const discounts = entry.volume_discounts;
  const book: Book = {
    id: entry.id,
    name: entry.name ?? entry.id,
    revision,
    models: entry.models ?? null,
    multipliers: entry.multipliers,
    fixed: new Map(entry.fixed.map((fixed) => [fixed.model, buildFixed(fixed)])),
    discounts,
    limits: {
      running: entry.running ?? null,
      requestsPerMinute: entry.requests_per_minute ?? null,
      tokensPerMinute: entry.tokens_per_minute ?? null,
    },
    trialCredit: entry.trial_credit,
    levels: [],
  };
  const steps = [{ from: parseDecimal(0), discount: parseDecimal(0) }, ...discounts];
  book.levels = steps.map(({ from, discount }) => ({ from, terms: { book, discount } }));
  return book;
}

function buildFixed({ llm, price_per_second: pricePerSecond, pricing_tiers: tiers }: FixedEntry): FixedPrice {
  if (llm) return { by: "token", ...buildPriceList(llm) };
  if (pricePerSecond !== undefined) return { by: "gpu-second", pricePerSecond };
  return {
    by: "tier",
    tiers: tiers!.map(({ match, price_usd: first, next_price_usd: next = first }) => ({
      match,
      price: { first, next },
      // Only the catalogue knows what providers take.
      cost: { first, next },
    })),
  };
}
