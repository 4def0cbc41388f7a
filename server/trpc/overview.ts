import { z } from "zod";
import { getAccountWarnings } from "../domain/overview/get-account-warnings";
import { serializeSpend, sumSpend } from "../domain/ledger/sum-spend";
import { procedure, router } from "./procedure";

const MAX_ROWS = 6;

export const overview = router({
  spend: procedure
    .input(z.object({ days: z.union([z.literal(7), z.literal(30), z.literal(90)]) }))
    .query(async ({ ctx, input }) => serializeSpend(await sumSpend(ctx, input.days), MAX_ROWS)),

  summary: procedure.query(({ ctx }) => getAccountWarnings(ctx)),
});
