import { findBooksRevision } from "../../catalogue/books/load-books";
import { parseBooks } from "../../catalogue/books/parse-books";
import { toEuros } from "../../lib/money";
import { countAccounts } from "./apply-books";
import type { BooksHub } from "./hub";

/**
 * Returns the price books that were applied last: their text in YAML, and each with how many accounts are on it or will be. The
 * revision is null if none were.
 */
export async function getBooks({ db }: Pick<BooksHub, "db">) {
  const revision = await findBooksRevision(db);
  const parsed = revision ? parseBooks(revision.source, `applied books ${revision.id}`, revision.id).books : [];
  const accounts = new Map((await countAccounts(db)).map((row) => [row.book, row.accounts]));
  const books = parsed.map(({ id, name, multipliers, fixed, discounts, limits, trialCredit }) => ({
    id,
    name,
    accounts: accounts.get(id) ?? 0,
    multipliers: multipliers.map(({ models, multiplier }) => ({ models, multiplier: toEuros(multiplier) })),
    fixed: [...fixed.keys()],
    volume_discounts: discounts.map(({ from, discount }) => ({ from: toEuros(from), discount: toEuros(discount) })),
    running: limits.running,
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    trial_credit: toEuros(trialCredit),
  }));
  return { revision: revision?.id ?? null, source: revision?.source ?? "books: []\n", books };
}
