import { isCatalogueError, type CatalogueIssue } from "../../catalogue/catalogue-error";
import { checkBooks } from "../../catalogue/books/check-books";
import { BOOKS_CHANNEL, findBooksRevision } from "../../catalogue/books/load-books";
import { parseBooks, type ParsedBooks } from "../../catalogue/books/parse-books";
import { readOffered } from "../../catalogue/load";
import { lockRevisions as lockCatalogue } from "../../catalogue/newest-revision";
import type { Queryable } from "../../db/client";
import { int4, jsonbText, notNull, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { operate, type Operator } from "../operator-actions";
import { describeTerms } from "./describe-terms";
import type { BooksHub } from "./hub";
import { setRunningLimits } from "./running-limits";

interface BooksRequest {
  /** YAML. */
  source: string;
  /** The name of the text in messages about issues. */
  file: string;
  /** The revision that the text is based on; without it, whatever is applied is replaced. */
  base?: number | null;
  reason?: string | null;
}

/** Returns the issues of a text, and the ids of its books if there are none. Changes nothing. */
export async function checkBooksDraft(
  hub: Pick<BooksHub, "catalogue" | "db">,
  { source, file }: Pick<BooksRequest, "source" | "file">,
): Promise<{ issues: CatalogueIssue[]; books: string[] }> {
  try {
    const parsed = parseBooks(source, file);
    await rejectMissing(hub.db, parsed);
    await checkBooks(parsed, hub.catalogue);
    return { issues: [], books: parsed.books.map(({ id }) => id) };
  } catch (error) {
    if (isCatalogueError(error)) return { issues: error.issues, books: [] };
    throw error;
  }
}

/**
 * Applies price books by an operator, in all running hubs, and returns the number of their revision. Throws CatalogueError for
 * books with an issue, and a 409 when others were applied since `base`.
 */
export async function applyBooks(hub: BooksHub, operator: Operator, request: BooksRequest): Promise<number> {
  const { source, file, base, reason } = request;
  const parsed = parseBooks(source, file);
  const target = { kind: "book-revision", id: "" };
  const revision = await operate(hub, operator, { action: "book.apply", target, reason }, async (tx) => {
    // If a catalogue and books are applied at the same time, the second is checked against the first.
    await lockCatalogue(tx);
    await lockRevisions(tx);
    const before = (await findBooksRevision(tx))?.id ?? null;
    if (base !== undefined && base !== before)
      throw new AppError(
        "invalid_state",
        "Other price books were applied meanwhile. Load them and make your change again.",
      );
    await rejectMissing(tx, parsed);
    await checkBooks(parsed, await readOffered({ db: tx, env: hub.env, now: hub.now }));
    const [row] = await insertRevision(
      tx,
      source,
      JSON.stringify(describeTerms(parsed.books)),
      hub.now(),
      BOOKS_CHANNEL,
    );
    await setRunningLimits(tx, parsed.books);
    const { id } = row!;
    return {
      before: { revision: before },
      after: { revision: id, books: parsed.books.map((book) => book.id) },
      target: { kind: "book-revision", id: String(id) },
      result: id,
    };
  });
  return revision!;
}

/** Reports books that accounts are on, or will be, and that the text lacks. */
async function rejectMissing(db: Queryable, { books, report, rejectIssues }: ParsedBooks): Promise<void> {
  const ids = new Set(books.map(({ id }) => id));
  for (const { book, accounts } of await countAccounts(db))
    if (!ids.has(book))
      report(["books"], `has no ${book}, which ${accounts === 1 ? "an account has" : `${accounts} accounts have`}`);
  rejectIssues();
}

/** Returns how many accounts are on each book, or will be. */
export const countAccounts = statement({
  params: [],
  row: { book: notNull(text), accounts: notNull(int4) },
  text: `
    SELECT book, count(DISTINCT id)::int AS accounts FROM (
      SELECT id, book FROM account UNION ALL SELECT id, next_book FROM account
    ) assigned WHERE book IS NOT NULL GROUP BY book ORDER BY book`,
});

/** Locks the newest revision until the end of the transaction, also against accounts that change their book. */
const lockRevisions = statement({
  params: [],
  row: {},
  text: "LOCK TABLE book_revision IN SHARE ROW EXCLUSIVE MODE",
});

const insertRevision = statement({
  params: [text, jsonbText, timestamptz, text],
  row: { id: int4, notified: nullable(text) },
  text: `
    WITH revision AS (INSERT INTO book_revision (source, terms, applied_at) VALUES ($1, $2, $3) RETURNING id)
    SELECT id, pg_notify($4, id::text)::text AS notified FROM revision`,
});
