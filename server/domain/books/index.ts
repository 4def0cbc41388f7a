/** Price books: revisions of them, and which account is on which. */
export { adoptDueBooks } from "./adopt-due-books";
export { applyBooks, checkBooksDraft } from "./apply-books";
export { assignBook, type BookStart, bookStarts } from "./assign-book";
export { getBooks } from "./list-books";
