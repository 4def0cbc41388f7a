import { z } from "zod";
import { getAccountWarnings } from "../domain/overview";
import { serializeSpend, sumSpend } from "../domain/ledger";
import { findWelcome, hideFirstSteps } from "../domain/accounts";
import { takesPayments } from "../domain/top-ups";
import { toEurosOrNull } from "../lib/money";
import { chartDays, procedure, router } from "./procedure";

const MAX_ROWS = 6;

export const overview = router({
  spend: procedure("billing")
    .input(z.object({ days: chartDays }))
    .query(async ({ ctx, input }) => serializeSpend(await sumSpend(ctx, input.days), MAX_ROWS)),

  summary: procedure("self").query(async ({ ctx }) => {
    const [summary, { sign_up_credit, hides_steps }] = await Promise.all([getAccountWarnings(ctx), findWelcome(ctx)]);
    return {
      ...summary,
      trial_credit: toEurosOrNull(sign_up_credit),
      shows_steps: !hides_steps,
      takes_payments: takesPayments(ctx.hub),
    };
  }),

  hideSteps: procedure("develop").mutation(({ ctx }) => hideFirstSteps(ctx)),
});
