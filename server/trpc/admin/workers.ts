import { z } from "zod";
import { createToken, listPresence, listTokens, revokeToken } from "../../domain/workers";
import { auditorProcedure, operatorProcedure, router } from "../procedure";

export const workers = router({
  list: auditorProcedure.query(async ({ ctx: { hub } }) => {
    const tokens = await listTokens(hub);
    return {
      workers: listPresence(hub),
      tokens: tokens.map(({ createdAt, revokedAt, id, name, prefix }) => ({
        id,
        name,
        prefix,
        created_at: createdAt.toISOString(),
        revoked_at: revokedAt?.toISOString() ?? null,
      })),
    };
  }),

  createToken: operatorProcedure
    .input(z.object({ name: z.string() }))
    .mutation(async ({ ctx: { hub, operator }, input }) => {
      const { token, record } = await createToken(hub, operator, input.name);
      return { token, name: record.name };
    }),

  revokeToken: operatorProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { hub, operator }, input }) => revokeToken(hub, operator, input.name)),
});
