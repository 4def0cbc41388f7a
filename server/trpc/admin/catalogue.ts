import { z } from "zod";
import { findNewestRevision } from "../../catalogue/newest-revision";
import { applyRevision, checkDraft, getRevision, listRevisions } from "../../domain/models";
import { auditorProcedure, operatorProcedure, reason, router, rowNumber } from "../procedure";
import { prices } from "./prices";
import { rejectFile, rejectInvalid } from "./reject-catalogue";

/** Checking a longer text would keep other requests waiting. */
const MAX_SOURCE = 256 * 1024;

const source = z.string().max(MAX_SOURCE, `may have at most ${MAX_SOURCE} characters; use the command line for more`);
const revision = rowNumber;
const base = revision.nullable();

export const catalogue = router({
  get: auditorProcedure.query(async ({ ctx: { hub } }) => {
    const [applied, revisions] = await Promise.all([findNewestRevision(hub.db), listRevisions(hub)]);
    return {
      base: applied?.id ?? null,
      source: applied?.source ?? "models: []\n",
      /** The file that is used instead of an applied catalogue. */
      file: hub.env.HUB_CATALOGUE ?? null,
      revisions,
    };
  }),

  revision: auditorProcedure
    .input(z.object({ id: revision }))
    .query(({ ctx: { hub }, input }) => getRevision(hub, input.id)),

  /** Checks a text and compares it with the applied catalogue. A mutation only because it may be too long for a URL. */
  check: operatorProcedure
    .meta({ cost: "write", needsProof: false })
    .input(z.object({ source }))
    .mutation(({ ctx: { hub }, input }) => checkDraft(hub, input.source)),

  applyDraft: operatorProcedure
    .input(z.object({ source, base, reason }))
    .mutation(async ({ ctx: { hub, operator }, input }) => {
      rejectFile(hub);
      return {
        revision: await rejectInvalid("source", () => applyRevision(hub, operator, { ...input, file: "catalogue" })),
      };
    }),

  /** Applies the text of an older revision as a new one. */
  rollBack: operatorProcedure
    .input(z.object({ id: revision, base, reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { id, ...request } }) => {
      rejectFile(hub);
      const order = { ...request, source: await getRevision(hub, id), file: `revision ${id}`, restored: id };
      return { revision: await rejectInvalid("source", () => applyRevision(hub, operator, order)) };
    }),

  /** Compares the applied catalogue with public price lists. */
  prices,
});
