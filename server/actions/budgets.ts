import {
  BudgetInput,
  BudgetPatch,
  changeBudget,
  createBudget,
  listBudgets,
  removeBudget,
  serializeBudget,
} from "../domain/budgets";
import { defineAction, defineItemAction } from "./action";

const change = { access: "billing", cost: "keys" } as const;

/** Budgets, for the members of an account. */
export const budgetActions = {
  list: defineAction({
    access: "billing",
    cost: "read",
    run: async (ctx) => (await listBudgets(ctx)).map((budget) => serializeBudget(budget, ctx.hub.now())),
  }),

  create: defineAction({
    ...change,
    body: BudgetInput,
    async run(ctx, body) {
      const created = await ctx.hub.db.transaction((tx) => createBudget(tx, ctx, body));
      return serializeBudget(created, ctx.hub.now());
    },
  }),

  update: defineItemAction({
    ...change,
    body: BudgetPatch,
    async run(ctx, { id, ...patch }) {
      const { after } = await ctx.hub.db.transaction((tx) => changeBudget(tx, ctx, id, patch));
      return serializeBudget(after, ctx.hub.now());
    },
  }),

  remove: defineItemAction({
    ...change,
    async run(ctx, { id }) {
      await ctx.hub.db.transaction((tx) => removeBudget(tx, ctx, id));
    },
  }),
};
