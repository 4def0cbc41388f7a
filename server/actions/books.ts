import { z } from "zod";
import { applyBooks, checkBooksDraft, getBooks } from "../domain/books";
import { Reason } from "./accounts";
import { defineOperatorAction } from "./operator-action";
import { rejectInvalid } from "./reject-catalogue";

/** Checking a longer text would keep other requests waiting. */
const MAX_SOURCE = 256 * 1024;

const source = z
  .string()
  .max(MAX_SOURCE, `may have at most ${MAX_SOURCE} characters; use the command line for more`)
  .meta({ description: "The price books in YAML", example: "books: []\n" });

/** The text of price books. */
export const BooksDraft = z.strictObject({ source }).meta({ id: "BooksDraft" });
const BooksRequest = z.strictObject({ source, reason: Reason.optional() }).meta({ id: "BooksRequest" });

/** Price books for operators. */
export const bookActions = {
  /** Returns the applied text with its books; its revision is null if none was applied. */
  get: defineOperatorAction({
    access: "auditor",
    run: (hub) => getBooks(hub),
  }),

  check: defineOperatorAction({
    access: "operator",
    body: BooksDraft,
    run: (hub, _operator, draft: z.output<typeof BooksDraft>) =>
      checkBooksDraft(hub, { source: draft.source, file: "books" }),
  }),

  /** Applies a text that was made from the revision `base`. Returns the number of its revision. */
  apply: defineOperatorAction({
    access: "operator",
    body: BooksRequest,
    run: (hub, operator, request: z.output<typeof BooksRequest> & { base: number | null }) =>
      rejectInvalid("source", () => applyBooks(hub, operator, { ...request, file: "books" })),
  }),
};
