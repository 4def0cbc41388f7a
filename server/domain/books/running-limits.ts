import type { Book } from "../../catalogue/books/book";
import type { Queryable } from "../../db/client";
import { jsonbText } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Returns how many generations accounts of each book may run at once, as JSON, for the books that limit it. */
export const describeLimits = (books: Iterable<Book>): string =>
  JSON.stringify(
    Object.fromEntries([...books].flatMap(({ id, limits: { running } }) => (running === null ? [] : [[id, running]]))),
  );

/** Stores the running limits of these books in the accounts that are on them. */
export const setRunningLimits = (tx: Queryable, books: Iterable<Book>) => updateLimits(tx, describeLimits(books));

const updateLimits = statement({
  params: [jsonbText],
  row: {},
  text: `
    UPDATE account SET max_running = ($1::jsonb ->> book)::int WHERE id IN (
      SELECT id FROM account WHERE book IS NOT NULL AND max_running IS DISTINCT FROM ($1::jsonb ->> book)::int
      ORDER BY id FOR UPDATE)`,
});
