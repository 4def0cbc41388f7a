import { z } from "zod";
import { isCatalogueError } from "../../catalogue/catalogue-error";
import { findNewestRevision } from "../../catalogue/newest-revision";
import type { Hub } from "../../domain/hub";
import { applyRevision, checkDraft, getRevision, listRevisions } from "../../domain/models";
import { AppError, invalidInput } from "../../errors";
import { auditorProcedure, operatorProcedure, reason, router, rowNumber } from "../procedure";

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
      return { revision: await applyOrReject(hub, operator, { ...input, file: "catalogue" }) };
    }),

  /** Applies the text of an older revision as a new one. */
  rollBack: operatorProcedure
    .input(z.object({ id: revision, base, reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { id, ...request } }) => {
      rejectFile(hub);
      const order = { ...request, source: await getRevision(hub, id), file: `revision ${id}`, restored: id };
      return { revision: await applyOrReject(hub, operator, order) };
    }),
});

const MAX_SHOWN_ISSUES = 5;

/** Applies a catalogue. Throws a 400 with the first issues of an invalid one, such as an old one after an upgrade. */
async function applyOrReject(...[hub, operator, order]: Parameters<typeof applyRevision>): Promise<number> {
  try {
    return await applyRevision(hub, operator, order);
  } catch (error) {
    if (!isCatalogueError(error)) throw error;
    throw invalidInput("source", error.message.split("\n").slice(0, MAX_SHOWN_ISSUES).join("; "));
  }
}

function rejectFile({ env }: Hub): void {
  if (!env.HUB_CATALOGUE) return;
  throw new AppError(
    "invalid_state",
    `HUB_CATALOGUE names ${env.HUB_CATALOGUE}, which is used instead of an applied catalogue.`,
  );
}
