import { frozenFactor } from "../../catalogue/frozen-book";
import { mulCeil, type Nano, parseDecimal, toEuros } from "../../lib/money";
import type { Price } from "./price";

/**
 * Returns a frozen price as its customer sees it: the amounts that the account's book has made of it, each rounded up, but not
 * the book, because the catalogue's prices and the multiplier are the operator's.
 */
export function showPrice(price: Price): Price {
  const { book, ...frozen } = price;
  if (!book) return price;
  const factor = frozenFactor({ book });
  const shown = multiplyAmounts(frozen as Price, factor);
  if (shown.by !== "token" || !shown.long_context) return shown;
  return { ...shown, long_context: shown.long_context.map((prices) => multiplyAmounts(prices, factor)) };
}

const multiplyAmounts = <T extends object>(amounts: T, factor: Nano): T =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, value]: [string, unknown]) => [
      name,
      isAmount(name) ? toEuros(mulCeil(parseDecimal(value as number), factor)) : value,
    ]),
  ) as T;

const isAmount = (name: string): boolean => /^((next_)?price_usd|price_per_second|\w+_per_million)$/.test(name);
