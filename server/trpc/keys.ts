import { createKey } from "../domain/keys/create";
import { KeyInput } from "../domain/keys/input";
import { serializeKey, listKeys, revokeKey } from "../domain/keys/key";
import { byId, procedure, router } from "./procedure";

export const keys = router({
  list: procedure.query(async ({ ctx }) => (await listKeys(ctx)).map(serializeKey)),

  create: procedure
    .meta({ cost: "keys" })
    .input(KeyInput)
    .mutation(async ({ ctx, input }) => {
      const { record, key } = await createKey(ctx.hub, ctx.account.id, input, ctx.actor);
      return { ...serializeKey(record), key };
    }),

  revoke: procedure
    .meta({ cost: "keys" })
    .input(byId)
    .mutation(({ ctx, input }) => revokeKey(ctx, input.id)),
});
