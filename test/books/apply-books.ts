import { loadBooks } from "../../server/catalogue/books/load-books";
import { applyBooks } from "../../server/domain/books";
import type { TestHub } from "../hub";
import { testOperator } from "../operator";

/** Applies price books, and loads them as a running hub does when it is notified. Returns their revision. */
export async function applyTestBooks(hub: TestHub, source: string): Promise<number> {
  const revision = await applyBooks(hub, testOperator, { source, file: "books.yaml" });
  hub.books = await loadBooks(hub.db);
  return revision;
}
