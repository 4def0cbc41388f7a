import type { Ctx } from "../../context";
import { formatDecimal } from "../../lib/money";
import { operate, type Operator } from "../operator-actions";
import type { Budget } from "./budget";
import { changeBudget, createBudget, removeBudget } from "./change-budget";
import type { BudgetsHub } from "./hub";
import type { BudgetChange, BudgetRequest } from "./input";

const targetOf = ({ account }: Ctx<BudgetsHub>) => ({ kind: "account", id: String(account.id) });

/** Returns a budget as the audit log has it. */
const toRecord = ({ id, name, amount, window, scope }: Budget) => ({
  budget: id,
  name,
  amount: formatDecimal(amount),
  window,
  scope,
});

/** Creates a budget by an operator, as `createBudget` does, in one transaction with its row in the audit log. */
export async function createBudgetByOperator(
  ctx: Ctx<BudgetsHub>,
  operator: Operator,
  request: BudgetRequest,
): Promise<Budget> {
  const created = await operate(ctx.hub, operator, { action: "budget.create", target: targetOf(ctx) }, async (tx) => {
    const result = await createBudget(tx, ctx, request);
    return { before: null, after: toRecord(result), result };
  });
  return created!;
}

/** Changes a budget by an operator, as `changeBudget` does. A change without effect is not recorded. */
export async function changeBudgetByOperator(
  ctx: Ctx<BudgetsHub>,
  operator: Operator,
  id: string,
  change: BudgetChange,
): Promise<Budget> {
  let changed: Budget;
  await operate(ctx.hub, operator, { action: "budget.update", target: targetOf(ctx) }, async (tx) => {
    const { before, after } = await changeBudget(tx, ctx, id, change);
    changed = after;
    const records = { before: toRecord(before), after: toRecord(after) };
    if (JSON.stringify(records.before) === JSON.stringify(records.after)) return null;
    return { ...records, result: after };
  });
  return changed!;
}

/** Removes a budget by an operator, as `removeBudget` does. */
export async function removeBudgetByOperator(ctx: Ctx<BudgetsHub>, operator: Operator, id: string): Promise<void> {
  await operate(ctx.hub, operator, { action: "budget.remove", target: targetOf(ctx) }, async (tx) => {
    const removed = await removeBudget(tx, ctx, id);
    return { before: toRecord(removed), after: null, result: undefined };
  });
}
