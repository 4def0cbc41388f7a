import { frozenFactor } from "../../catalogue/frozen-book";
import { formatDecimal, mulCeil, parseDecimal } from "../../lib/money";
import type { Price } from "./price";

/**
 * Returns what explains the charge of an account with a price book: its own prices at the hold, the book and its revision, and
 * the discount for its volume; null without a book. The catalogue's prices and the multiplier are the operator's.
 */
export function describePrice(price: Price | null): string | null {
  if (!price?.book) return null;
  const { id, revision, discount, fixed } = price.book;
  return [
    describeAmounts(price),
    `book ${id}, revision ${revision}`,
    ...(fixed ? ["fixed price"] : []),
    ...(discount === undefined ? [] : [`${formatDecimal(parseDecimal(discount) * 100n)} % volume discount`]),
  ].join("; ");
}

function describeAmounts(price: Price): string {
  const factor = frozenFactor(price);
  const own = (amount: number) => formatDecimal(mulCeil(parseDecimal(amount), factor));
  switch (price.by) {
    case "tier": {
      const next = price.next_price_usd === undefined ? "" : `, ${own(price.next_price_usd)} USD each further one`;
      return `${own(price.price_usd)} USD per ${price.unit ?? "generation"}${next}, ${price.eur_per_usd} EUR per USD`;
    }
    case "token":
      return `${own(price.input_per_million)} EUR per million input tokens, ${own(price.output_per_million)} EUR output`;
    case "gpu-second":
      return `${own(price.price_per_second)} EUR per second`;
  }
}
