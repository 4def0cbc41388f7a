import type { Db } from "../../db/client";
import { type Books, findTerms, type Terms } from "./book";
import { loadBooks } from "./load-books";

/** The parts of a hub that find the book of an account. */
export interface TermsHub {
  db: Db;
  books: Books;
}

/** What the lookup of an account says about its book. */
interface BookRow {
  book: string | null;
  month_volume: bigint;
}

/**
 * Returns SQL for the columns `book` and `month_volume` of an account: its book at a time, and what it has spent in the
 * month if its book is one of `discounting`. For other accounts the volume is 0 and costs no lookup.
 */
export const bookColumnsSql = ({ account, now, discounting }: Record<"account" | "now" | "discounting", string>) => `
  ${bookSql(account, now)} AS book,
  CASE WHEN ${bookSql(account, now)} = ANY (${discounting}) THEN account_month_volume(${account}.id, ${now}) ELSE 0 END AS month_volume`;

/** Returns SQL for the id of an account's book at a time; NULL without one. */
export const bookSql = (account: string, now: string) =>
  `CASE WHEN ${account}.next_book_at <= ${now} THEN ${account}.next_book ELSE ${account}.book END`;

/** Returns the ids of the books whose prices depend on the volume. */
export const listDiscounting = ({ books }: Pick<TermsHub, "books">): string[] =>
  [...books.values()].filter(({ discounts }) => discounts.length > 0).map(({ id }) => id);

/**
 * Returns a function that finds the terms of the rows' accounts; null without a book. A book that this process does not
 * know was just applied, so the books are read again: an account with a book never gets prices without it.
 */
export async function readTerms(hub: TermsHub, rows: BookRow[]): Promise<(row: BookRow) => Terms | null> {
  if (rows.some(({ book }) => book !== null && !hub.books.has(book))) hub.books = await loadBooks(hub.db);
  return ({ book, month_volume }) => {
    if (book === null) return null;
    const found = hub.books.get(book);
    if (!found) throw new Error(`The book ${book} is not in the applied books.`);
    return findTerms(found, month_volume);
  };
}
