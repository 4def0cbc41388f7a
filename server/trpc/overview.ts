import { z } from "zod";
import { getAccountWarnings } from "../domain/overview/get-account-warnings";
import { serializeSpend, sumSpend } from "../domain/ledger/sum-spend";
import { chartDays, procedure, router } from "./procedure";

const MAX_ROWS = 6;

export const overview = router({
  spend: procedure
    .input(z.object({ days: chartDays }))
    .query(async ({ ctx, input }) => serializeSpend(await sumSpend(ctx, input.days), MAX_ROWS)),

  summary: procedure.query(({ ctx }) => getAccountWarnings(ctx)),
});
