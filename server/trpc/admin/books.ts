import { bookActions, BooksDraft } from "../../actions/books";
import { procedureOf, reason, router, rowNumber } from "../procedure";

/** The price books; an account is on one at most. */
export const books = router({
  get: procedureOf(bookActions.get).query(({ ctx: { hub, operator } }) =>
    bookActions.get.run(hub, operator, undefined),
  ),

  /** A mutation only because the text may be too long for a URL. */
  check: procedureOf(bookActions.check)
    .meta({ cost: "write", needsProof: false })
    .input(BooksDraft)
    .mutation(({ ctx: { hub, operator }, input }) => bookActions.check.run(hub, operator, input)),

  applyDraft: procedureOf(bookActions.apply)
    .input(BooksDraft.extend({ base: rowNumber.nullable(), reason }))
    .mutation(async ({ ctx: { hub, operator }, input }) => ({
      revision: await bookActions.apply.run(hub, operator, input),
    })),
});
