import { bookSql } from "../../catalogue/books/account-terms";
import type { Book } from "../../catalogue/books/book";
import { findBooksRevision } from "../../catalogue/books/load-books";
import { parseBooks } from "../../catalogue/books/parse-books";
import type { Queryable } from "../../db/client";
import { bool, int4, notNull, nullable, text, timestamptz } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { formatDecimal, type Nano } from "../../lib/money";
import { lockAccount } from "../accounts";
import { lockAccountSql } from "../accounts/sql";
import { insertTrialCredit } from "../ledger";
import { hadTrialCreditSql } from "../ledger/sql";
import { operate, type Operator } from "../operator-actions";
import { consumeDailyCredit } from "../operator-tokens";
import { startOfMonth } from "../../lib/start-of-month";
import type { BooksHub } from "./hub";

/** When an account changes its book: at once, or at the beginning of the next month (UTC). */
export const bookStarts = ["now", "next_month"] as const;
export type BookStart = (typeof bookStarts)[number];

interface Assignment {
  id: number;
  /** Null for the catalogue's prices. */
  book: string | null;
  starts?: BookStart;
  reason?: string | null;
}

/**
 * Puts an account on a price book; does nothing if that changes nothing. The first book with a trial credit credits it, unless
 * the account got one at its sign-up. Throws a 404 for an unknown account, a 400 for an unknown book, a 409 for a closed account,
 * and a 402 when the daily limit of an operator's token does not cover the trial credit.
 */
export async function assignBook(
  hub: BooksHub,
  operator: Operator,
  { id, book: bookId, starts = "now", reason }: Assignment,
): Promise<void> {
  const target = { kind: "account", id: String(id) };
  await operate(hub, operator, { action: "account.set-book", target, reason }, async (tx) => {
    const now = hub.now();
    await lockBooks(tx);
    const book = bookId === null ? null : await requireBook(tx, bookId);
    const [locked] = await lockAccount(tx, id);
    if (!locked) throw new AppError("resource_not_found", "There is no such account.");
    if (locked.closed_at) throw new AppError("invalid_state", "The account is closed.");
    // A separate statement also sees a trial credit that was booked while this one waited for the lock.
    const account = (await selectAssigned(tx, id, now))[0]!;
    const at = starts === "now" ? null : startOfMonth(now, 1);
    if (isUnchanged(account, bookId, at)) return null;
    if (at) await scheduleBook(tx, id, account.book, bookId, at);
    else await setBook(tx, id, bookId, book?.limits.running ?? null);
    const credited = await creditTrial(hub, operator, tx, { id, book, hadTrial: account.had_trial });
    return {
      before: describe(account.book, account.next_book, account.next_book_at),
      after: {
        ...(at ? describe(account.book, bookId, at) : describe(bookId, null, null)),
        ...(credited > 0n && { trial_credit: formatDecimal(credited) }),
      },
      result: undefined,
    };
  });
}

type AssignedRow = RowOf<typeof assignedColumns>;

/** Whether an account is on the book already, or will be from that time on, and on no other. */
const isUnchanged = ({ book, next_book, next_book_at }: AssignedRow, wanted: string | null, at: Date | null): boolean =>
  at === null
    ? book === wanted && next_book_at === null
    : next_book_at === null
      ? book === wanted
      : next_book === wanted && next_book_at.getTime() === at.getTime();

const describe = (book: string | null, next: string | null, at: Date | null) => ({
  book,
  ...(at && { next_book: next, next_book_at: at.toISOString() }),
});

async function requireBook(tx: Queryable, id: string): Promise<Book> {
  const revision = await findBooksRevision(tx);
  const books = revision ? parseBooks(revision.source, `applied books ${revision.id}`, revision.id).books : [];
  const book = books.find((one) => one.id === id);
  if (!book) throw invalidInput("book", `is not a price book that was applied: ${JSON.stringify(id)}`);
  return book;
}

/** Credits a book's trial credit, unless the account has had one, also at its sign-up. */
async function creditTrial(
  hub: BooksHub,
  { tokenId }: Operator,
  tx: Queryable,
  { id, book, hadTrial }: { id: number; book: Book | null; hadTrial: boolean },
): Promise<Nano> {
  const amount = book?.trialCredit ?? 0n;
  if (amount === 0n || hadTrial) return 0n;
  if (tokenId !== undefined) await consumeDailyCredit(tx, tokenId, amount, hub.now());
  await insertTrialCredit(tx, id, amount, hub.now());
  return amount;
}

/** Keeps other books from being applied until the end of the transaction. */
const lockBooks = statement({ params: [], row: {}, text: "LOCK TABLE book_revision IN SHARE MODE" });

const assignedColumns = {
  book: nullable(text),
  next_book: nullable(text),
  next_book_at: nullable(timestamptz),
  had_trial: notNull(bool),
};

// A credit that waits for the address to be verified is the account's trial credit too.
const selectAssigned = statement({
  params: [int4, timestamptz],
  row: assignedColumns,
  text: `
    SELECT ${bookSql("a", "$2")} AS book, CASE WHEN next_book_at > $2 THEN next_book END AS next_book,
           CASE WHEN next_book_at > $2 THEN next_book_at END AS next_book_at,
           sign_up_credit IS NOT NULL
             OR ${hadTrialCreditSql("a.id")} AS had_trial
    FROM account a WHERE id = $1`,
});

const setBook = statement({
  params: [int4, nullable(text), nullable(int4)],
  row: {},
  text: `
    UPDATE account SET book = $2, next_book = NULL, next_book_at = NULL, max_running = $3 WHERE id = ${lockAccountSql("$1")}`,
});

const scheduleBook = statement({
  params: [int4, nullable(text), nullable(text), timestamptz],
  row: {},
  text: `UPDATE account SET book = $2, next_book = $3, next_book_at = $4 WHERE id = ${lockAccountSql("$1")}`,
});
