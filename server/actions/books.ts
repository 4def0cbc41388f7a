import { z } from "zod";
import { applyBooks, checkBooksDraft, getBooks } from "../domain/books";
import { Reason } from "./accounts";
import { defineOperatorAction } from "./operator-action";
import { rejectInvalid } from "./reject-catalogue";
import { yamlSource } from "./yaml-source";

const source = yamlSource("The price books in YAML", "books: []\n");

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
