import { type Nano, NANO_PER_UNIT, parseDecimal, toEuros } from "../lib/money";
import type { BookPrice } from "./pricing";

/** Returns what a book multiplies a price by, in nano and exact: multipliers have six decimal places, discounts three. */
export const factorOf = ({ multiplier = NANO_PER_UNIT, discount = 0n }: Partial<BookPrice> = {}): Nano =>
  (multiplier * (NANO_PER_UNIT - discount)) / NANO_PER_UNIT;

/** What a book made of a price when a generation was held, stored as a part of its frozen price. */
export interface FrozenBook {
  id: string;
  revision: number;
  multiplier?: number;
  /** The discount for what the account had spent in the month, as a fraction. */
  discount?: number;
  fixed?: true;
}

/** Returns what a book makes of a price, as a member of a frozen price; nothing without a book. */
export function freezeBook(book: BookPrice | undefined): { book?: FrozenBook } {
  if (!book) return {};
  const { id, revision, multiplier, discount, isFixed } = book;
  return {
    book: {
      id,
      revision,
      ...(multiplier !== undefined && { multiplier: toEuros(multiplier) }),
      ...(discount !== undefined && { discount: toEuros(discount) }),
      ...(isFixed && { fixed: true as const }),
    },
  };
}

/** Returns what a frozen price is multiplied by, in nano and exact. */
export const frozenFactor = ({ book }: { book?: FrozenBook }): Nano =>
  factorOf({
    ...(book?.multiplier !== undefined && { multiplier: parseDecimal(book.multiplier) }),
    ...(book?.discount !== undefined && { discount: parseDecimal(book.discount) }),
  });
