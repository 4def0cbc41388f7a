import { z } from "zod";
import { startView } from "../../domain/views";
import { auditorProcedure, reason, router, rowNumber } from "../procedure";

export const views = router({
  /** Shows an account as its members see it, for 15 minutes; prompts, outputs and files only with a reason. */
  start: auditorProcedure
    .meta({ needsProof: true })
    .input(z.object({ account: rowNumber, reason: reason.nullable() }))
    .mutation(({ ctx, input }) => startView(ctx, ctx.operator, { accountId: input.account, reason: input.reason })),
});
