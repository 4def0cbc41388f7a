import { deleteExport, findNewestExport, serializeExport, startExport } from "../domain/exports";
import { byId, procedure, router } from "./procedure";

/** Exports of all data of the account, only for its owners. */
export const dataExports = router({
  /** Returns the newest export; null without one, and after it was deleted. */
  newest: procedure("manage").query(async ({ ctx }) => {
    const newest = await findNewestExport(ctx);
    return newest && newest.state !== "deleted" ? serializeExport(newest, ctx.hub.now()) : null;
  }),

  // A session that was left open must not hand out everything.
  start: procedure("manage")
    .meta({ needsProof: true, isWhileClosing: true })
    .mutation(async ({ ctx }) => serializeExport(await startExport(ctx), ctx.hub.now())),

  delete: procedure("manage")
    .meta({ isWhileClosing: true })
    .input(byId)
    .mutation(({ ctx, input }) => deleteExport(ctx, input.id)),
});
