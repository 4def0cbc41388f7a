import { int4, jsonbText, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { BooksHub } from "./hub";
import { describeLimits } from "./running-limits";

const MAX_ACCOUNTS = 1_000;

/**
 * Moves accounts to their next book once it is due (its prices apply from that time anyway), and stores its running limits.
 * Returns how many accounts were moved.
 */
export const adoptDueBooks = async (hub: Pick<BooksHub, "books" | "db" | "now">): Promise<number> =>
  (await adoptDue(hub.db, hub.now(), describeLimits(hub.books.values()))).length;

const adoptDue = statement({
  params: [timestamptz, jsonbText],
  row: { id: int4 },
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, next_book FROM account WHERE next_book_at <= $1 ORDER BY id LIMIT ${MAX_ACCOUNTS} FOR UPDATE SKIP LOCKED
    )
    UPDATE account SET book = due.next_book, next_book = NULL, next_book_at = NULL,
                       max_running = ($2::jsonb ->> due.next_book)::int
    FROM due WHERE account.id = due.id RETURNING account.id`,
});
