import { createKey } from "../domain/keys/create";
import { KeyInput, KeyPatch, KeyRotation } from "../domain/keys/input";
import { getKey, serializeKey, listKeys, revokeKey } from "../domain/keys/key";
import { rotateKey } from "../domain/keys/rotate";
import { changeKey } from "../domain/ledger/change-key";
import { checkAllowedModels } from "../domain/models/offered-models";
import { serializeSpend, sumSpend } from "../domain/ledger/sum-spend";
import { byId, chartDays, procedure, router } from "./procedure";

const MAX_MODELS = 6;

export const keys = router({
  list: procedure("read").query(async ({ ctx }) => (await listKeys(ctx)).map(serializeKey)),

  get: procedure("read")
    .input(byId)
    .query(async ({ ctx, input }) => serializeKey(await getKey(ctx, input.id))),

  /** Returns what a key was charged in the last days. Throws a 404 when the account has no such key. */
  spend: procedure("read")
    .input(byId.extend({ days: chartDays }))
    .query(async ({ ctx, input }) => {
      const { id } = await getKey(ctx, input.id);
      return serializeSpend(await sumSpend(ctx, input.days, id), MAX_MODELS);
    }),

  create: procedure("develop")
    .meta({ cost: "keys" })
    .input(KeyInput)
    .mutation(async ({ ctx, input }) => {
      checkAllowedModels(ctx, input.allowed_models);
      const { record, key } = await createKey(ctx.hub, ctx.account.id, input, ctx.actor);
      return { ...serializeKey(record), key };
    }),

  update: procedure("develop")
    .meta({ cost: "keys" })
    .input(KeyPatch.extend(byId.shape))
    .mutation(async ({ ctx, input: { id, ...change } }) => {
      checkAllowedModels(ctx, change.allowed_models);
      return serializeKey(await changeKey(ctx, id, change));
    }),

  rotate: procedure("develop")
    .meta({ cost: "keys" })
    .input(KeyRotation.extend(byId.shape))
    .mutation(async ({ ctx, input }) => {
      const { record, key } = await rotateKey(ctx, input.id, input.grace_hours);
      return { ...serializeKey(record), key };
    }),

  revoke: procedure("develop")
    .meta({ cost: "keys" })
    .input(byId)
    .mutation(({ ctx, input }) => revokeKey(ctx, input.id)),
});
