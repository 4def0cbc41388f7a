import type { Book, FixedPrice } from "../../catalogue/books/book";
import { formatDecimal, toEuros } from "../../lib/money";
import { freezePriceList } from "../tokens";

/**
 * Returns the terms of each book as the audit reads them: patterns and multipliers in their order, the discounts, and for each
 * model with a fixed price the members that one of its frozen prices has.
 */
export const describeTerms = (books: Book[]): Record<string, object> =>
  Object.fromEntries(
    books.map(({ id, models, multipliers, discounts, fixed }) => [
      id,
      {
        models,
        multipliers: multipliers.map(({ models: pattern, multiplier }) => ({
          models: pattern,
          multiplier: formatDecimal(multiplier),
        })),
        discounts: discounts.map(({ discount }) => formatDecimal(discount)),
        fixed: Object.fromEntries([...fixed].map(([model, price]) => [model, describeFixed(price)])),
      },
    ]),
  );

function describeFixed(price: FixedPrice): object[] {
  switch (price.by) {
    case "tier":
      return price.tiers.map(({ match, price: { first, next } }) => ({
        match,
        price_usd: toEuros(first),
        ...(next !== first && { next_price_usd: toEuros(next) }),
      }));
    case "token":
      return [freezePriceList(price)];
    case "gpu-second":
      return [{ price_per_second: toEuros(price.pricePerSecond) }];
  }
}
