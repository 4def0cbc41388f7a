import type { z } from "zod";
import { getAccountById } from "../domain/accounts";
import {
  BudgetInput,
  BudgetPatch,
  changeBudgetByOperator,
  createBudgetByOperator,
  findBudgetAccount,
  listBudgets,
  removeBudgetByOperator,
  serializeBudget,
} from "../domain/budgets";
import { contextForOperator, defineOperatorAction } from "./operator-action";

/**
 * Budgets of any account, for operators. `id` is the account's when budgets are listed or one is created, else the
 * budget's.
 */
export const accountBudgetActions = {
  list: defineOperatorAction({
    access: "auditor",
    async run(hub, operator, id: number) {
      const budgets = await listBudgets(contextForOperator(hub, await getAccountById(hub, id), operator));
      return budgets.map((budget) => serializeBudget(budget, hub.now()));
    },
  }),

  create: defineOperatorAction({
    access: "operator",
    body: BudgetInput,
    async run(hub, operator, { id, ...request }: z.output<typeof BudgetInput> & { id: number }) {
      const ctx = contextForOperator(hub, await getAccountById(hub, id), operator);
      return serializeBudget(await createBudgetByOperator(ctx, operator, request), hub.now());
    },
  }),

  update: defineOperatorAction({
    access: "operator",
    body: BudgetPatch,
    async run(hub, operator, { id, ...change }: z.output<typeof BudgetPatch> & { id: string }) {
      const ctx = contextForOperator(hub, await findBudgetAccount(hub, id), operator);
      return serializeBudget(await changeBudgetByOperator(ctx, operator, id, change), hub.now());
    },
  }),

  remove: defineOperatorAction({
    access: "operator",
    run: async (hub, operator, id: string) =>
      removeBudgetByOperator(contextForOperator(hub, await findBudgetAccount(hub, id), operator), operator, id),
  }),
};
