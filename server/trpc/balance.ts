import { z } from "zod";
import type { Actor } from "../context";
import { forecastCredit, listEntries, parseStatementFilters, serializeEntry, StatementFilters } from "../domain/ledger";
import { type ChargeDescription, describeCharges, listHolds, serializeHold } from "../domain/generations/read";
import { isPermitted } from "../domain/people";
import { redeemVoucher } from "../domain/vouchers";
import { isContentHidden } from "./hide-content";
import { cursor, pageOrFirst, procedure, router } from "./procedure";

const PAGE = 25;
const MAX_HOLDS = 20;

/** Returns what an entry was for; without the prompt, if the actor may not see it. */
function describeCharge(actor: Actor, id: string | null, charges: Map<string, ChargeDescription>) {
  const charge = (id !== null && charges.get(id)) || null;
  const isHidden = isContentHidden(actor) || !isPermitted(actor, "read");
  return charge && isHidden ? { ...charge, title: null } : charge;
}

export const balance = router({
  statement: procedure("billing")
    .input(StatementFilters.extend({ cursor }))
    .query(async ({ ctx, input: { cursor, ...days } }) => {
      const filters = parseStatementFilters(days);
      const { data, next_cursor } = await pageOrFirst(cursor, (cursor) =>
        listEntries(ctx, { ...filters, limit: PAGE, cursor }),
      );
      const charges = await describeCharges(
        ctx,
        data.flatMap(({ generation_id }) => generation_id ?? []),
      );
      return {
        data: data.map((entry) => ({
          ...serializeEntry(entry),
          charge: describeCharge(ctx.actor, entry.generation_id, charges),
        })),
        next_cursor,
      };
    }),

  /** Returns for how many days the credit lasts at the pace of the last days; null while that is unknown. */
  daysLeft: procedure("billing").query(({ ctx }) => forecastCredit(ctx)),

  /** Returns the newest holds. */
  holds: procedure("billing").query(async ({ ctx }) => (await listHolds(ctx, MAX_HOLDS)).map(serializeHold)),

  /** Redeems a voucher. Returns the promotional credit that it gives, in EUR. */
  redeemVoucher: procedure("billing")
    .input(z.object({ code: z.string().max(100) }))
    .mutation(({ ctx, input }) => redeemVoucher(ctx, input.code)),
});
