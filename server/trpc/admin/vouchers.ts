import { z } from "zod";
import { voucherActions } from "../../actions/vouchers";
import { MAX_REDEMPTIONS } from "../../domain/vouchers";
import { auditorProcedure, byId, operatorProcedure, router } from "../procedure";

const MAX_SHOWN = 200;

/** Vouchers that give promotional credit. */
export const vouchers = router({
  list: auditorProcedure.query(({ ctx: { hub, operator } }) =>
    voucherActions.list.run(hub, operator, { limit: MAX_SHOWN }),
  ),

  create: operatorProcedure
    .input(
      z.object({
        amount: z.string().trim().max(30),
        max_redemptions: z
          .string()
          .trim()
          .regex(/^\d{1,9}$/, "must be a whole number")
          .transform(Number)
          .pipe(z.int().min(1, "must be at least 1").max(MAX_REDEMPTIONS, `must be at most ${MAX_REDEMPTIONS}`)),
        /** The last day (UTC) on which it can be redeemed; empty for no end. */
        last_day: z.union([z.literal(""), z.iso.date("must be a day as YYYY-MM-DD")]),
        note: z.string().trim().max(200),
      }),
    )
    .mutation(({ ctx: { hub, operator }, input: { last_day, ...input } }) => {
      const expires_at = last_day === "" ? null : `${last_day}T23:59:59.999Z`;
      return voucherActions.create.run(hub, operator, { ...input, expires_at });
    }),

  revoke: operatorProcedure
    .input(byId)
    .mutation(({ ctx: { hub, operator }, input }) => voucherActions.revoke.run(hub, operator, input.id)),
});
