import { z } from "zod";
import { CatalogueDraft, catalogueActions } from "../../actions/catalogue";
import { procedureOf, reason, router, rowNumber } from "../procedure";
import { prices } from "./prices";

const revision = rowNumber;
const base = revision.nullable();

export const catalogue = router({
  get: procedureOf(catalogueActions.get).query(async ({ ctx: { hub, operator } }) => {
    const [{ revision: base, ...applied }, revisions] = await Promise.all([
      catalogueActions.get.run(hub, operator, undefined),
      catalogueActions.revisions.run(hub, operator, undefined),
    ]);
    return { ...applied, base, revisions };
  }),

  revision: procedureOf(catalogueActions.revision)
    .input(z.object({ id: revision }))
    .query(({ ctx: { hub, operator }, input }) => catalogueActions.revision.run(hub, operator, input.id)),

  /** Checks a text and compares it with the applied catalogue. A mutation only because it may be too long for a URL. */
  check: procedureOf(catalogueActions.check)
    .meta({ cost: "write", needsProof: false })
    .input(CatalogueDraft)
    .mutation(({ ctx: { hub, operator }, input }) => catalogueActions.check.run(hub, operator, input)),

  applyDraft: procedureOf(catalogueActions.apply)
    .input(CatalogueDraft.extend({ base, reason }))
    .mutation(async ({ ctx: { hub, operator }, input }) => ({
      revision: await catalogueActions.apply.run(hub, operator, input),
    })),

  /** Applies the text of an older revision as a new one. */
  rollBack: procedureOf(catalogueActions.apply)
    .input(z.object({ id: revision, base, reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { id, ...request } }) => ({
      revision: await catalogueActions.apply.run(hub, operator, { ...request, restored: id }),
    })),

  /** Compares the applied catalogue with public price lists. */
  prices,
});
