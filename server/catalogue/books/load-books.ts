import type { Queryable } from "../../db/client";
import { int4, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Books } from "./book";
import { parseBooks } from "./parse-books";

/** Running hubs listen on this channel and reload the books. */
export const BOOKS_CHANNEL = "hub_books";

/** Returns the books that were applied last, if any. Throws CatalogueError for books that are no longer valid. */
export async function loadBooks(db: Queryable): Promise<Books> {
  const revision = await findBooksRevision(db);
  if (!revision) return new Map();
  const { books } = parseBooks(revision.source, `applied books ${revision.id}`, revision.id);
  return new Map(books.map((book) => [book.id, book]));
}

/** Returns the books that were applied last, in YAML, or null. */
export async function findBooksRevision(db: Queryable): Promise<{ id: number; source: string } | null> {
  const [row] = await selectNewest(db);
  return row ?? null;
}

const selectNewest = statement({
  params: [],
  row: { id: int4, source: text },
  text: "SELECT id, source FROM book_revision ORDER BY id DESC LIMIT 1",
});
