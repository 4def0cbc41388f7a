import { keyActions } from "../actions/keys";
import { getKey, serializeKey } from "../domain/keys";
import { serializeSpend, sumSpend } from "../domain/ledger";
import { bareMutationOf, byId, chartDays, mutationOf, procedure, queryOf, router } from "./procedure";

const MAX_MODELS = 6;

export const keys = router({
  list: queryOf(keyActions.list),

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

  create: mutationOf(keyActions.create),
  createTemporary: bareMutationOf(keyActions.createTemporary),
  update: mutationOf(keyActions.update),
  rotate: mutationOf(keyActions.rotate),
  revoke: mutationOf(keyActions.revoke),
});
