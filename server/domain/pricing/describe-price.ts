import { formatDecimal, parseDecimal } from "../../lib/money";
import type { Price } from "./price";
import { showPrice } from "./show-price";

/**
 * Returns what explains the charge of an account with a price book: its own prices at the hold, the book and its revision, and
 * the discount for its volume; null without a book.
 */
export function describePrice(price: Price | null): string | null {
  if (!price?.book) return null;
  const { id, revision, discount, fixed } = price.book;
  return [
    describeAmounts(showPrice(price)),
    `book ${id}, revision ${revision}`,
    ...(fixed ? ["fixed price"] : []),
    ...(discount === undefined ? [] : [`${formatDecimal(parseDecimal(discount) * 100n)} % volume discount`]),
  ].join("; ");
}

const decimal = (amount: number): string => formatDecimal(parseDecimal(amount));

function describeAmounts(price: Price): string {
  switch (price.by) {
    case "tier": {
      const next = price.next_price_usd === undefined ? "" : `, ${decimal(price.next_price_usd)} USD each further one`;
      return `${decimal(price.price_usd)} USD per ${price.unit ?? "generation"}${next}, ${price.eur_per_usd} EUR per USD`;
    }
    case "token":
      return `${decimal(price.input_per_million)} EUR per million input tokens, ${decimal(price.output_per_million)} EUR output`;
    case "gpu-second":
      return `${decimal(price.price_per_second)} EUR per second`;
  }
}
