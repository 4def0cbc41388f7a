import {
  BudgetInput,
  BudgetPatch,
  changeBudget,
  createBudget,
  listBudgets,
  removeBudget,
  serializeBudget,
} from "../domain/budgets";
import { listAllKeys } from "../domain/keys";
import { listMembers } from "../domain/members";
import { byId, procedure, router } from "./procedure";

const billing = procedure("billing");
const change = billing.meta({ cost: "keys" });

export const budgets = router({
  /** Returns the budgets, and the keys and members that a scope can name. */
  list: billing.query(async ({ ctx }) => {
    const [budgets, keys, members] = await Promise.all([listBudgets(ctx), listAllKeys(ctx), listMembers(ctx)]);
    return {
      budgets: budgets.map((budget) => serializeBudget(budget, ctx.hub.now())),
      keys: keys.map(({ id, name, prefix, revoked_at }) => ({ id, name, prefix, is_revoked: revoked_at !== null })),
      members: members.map(({ id, email }) => ({ id, email })),
    };
  }),

  create: change.input(BudgetInput).mutation(async ({ ctx, input }) => {
    const created = await ctx.hub.db.transaction((tx) => createBudget(tx, ctx, input));
    return serializeBudget(created, ctx.hub.now());
  }),

  update: change.input(BudgetPatch.extend(byId.shape)).mutation(async ({ ctx, input: { id, ...patch } }) => {
    const { after } = await ctx.hub.db.transaction((tx) => changeBudget(tx, ctx, id, patch));
    return serializeBudget(after, ctx.hub.now());
  }),

  remove: change.input(byId).mutation(async ({ ctx, input }) => {
    await ctx.hub.db.transaction((tx) => removeBudget(tx, ctx, input.id));
  }),
});
