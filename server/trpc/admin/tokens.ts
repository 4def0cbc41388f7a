import { z } from "zod";
import { parseAmount } from "../../actions/parse-amount";
import { hubRoles } from "../../domain/people";
import {
  createOperatorToken,
  listOperatorTokens,
  revokeOperatorToken,
  serializeOperatorToken,
} from "../../domain/operator-tokens";
import { auditorProcedure, operatorProcedure, router } from "../procedure";

const DAY_MS = 86_400_000;

/** Tokens of operators' programs, for the management API. */
export const tokens = router({
  list: auditorProcedure.query(async ({ ctx: { hub } }) => (await listOperatorTokens(hub)).map(serializeOperatorToken)),

  create: operatorProcedure
    .input(
      z.object({
        name: z.string(),
        role: z.enum(hubRoles),
        /** Null for a token that never expires. */
        days: z.union([z.literal(30), z.literal(90), z.literal(365)]).nullable(),
        /** EUR; empty for no limit. */
        daily_credit: z.string().trim().max(30),
      }),
    )
    .mutation(async ({ ctx: { hub, operator }, input }) => {
      const { token, record } = await createOperatorToken(hub, operator, {
        name: input.name,
        role: input.role,
        expiresAt: input.days === null ? null : new Date(hub.now().getTime() + input.days * DAY_MS),
        dailyCredit: input.daily_credit === "" ? null : parseAmount(input.daily_credit, "daily_credit"),
      });
      return { token, name: record.name };
    }),

  revoke: operatorProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { hub, operator }, input }) => revokeOperatorToken(hub, operator, input.name)),
});
