import { z } from "zod";
import { lookOver } from "../domain/accounts/look-over";
import { representSpend, sumSpend } from "../domain/ledger/sum-spend";
import { procedure, router } from "./procedure";

const MOST = 6;

export const overview = router({
  spend: procedure
    .input(z.object({ days: z.union([z.literal(7), z.literal(30), z.literal(90)]) }))
    .query(async ({ ctx, input }) => representSpend(await sumSpend(ctx, input.days), MOST)),

  lookOver: procedure.query(({ ctx }) => lookOver(ctx)),
});
