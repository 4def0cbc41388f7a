import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { int4, int8, jsonbText, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { isId, newId } from "../../lib/id";
import { type Nano, parseDecimal, toEuros } from "../../lib/money";
import { beginKeyLimitChange } from "../accounts";
import { storeHasBudgetsSql } from "../accounts/sql";
import { type Budget, budgetNotFoundError, getBudget } from "./budget";
import type { BudgetsHub } from "./hub";
import type { BudgetChange, BudgetRequest } from "./input";
import { MAX_BUDGETS } from "./max-budgets";
import { checkScope } from "./scope";
import { startCounting } from "./start-counting";
import type { BudgetWindow } from "./window";

// Changes lock the budget before the account, and without a conflict with the foreign keys of holds, which have locked the
// account when they refer to the budget.

/**
 * Creates a budget of the account, which begins with what its current window has already spent and holds. Throws a 400 for a
 * scope that names something unknown, and for one more than the maximum.
 */
export async function createBudget(tx: Queryable, ctx: Ctx<BudgetsHub>, request: BudgetRequest): Promise<Budget> {
  const { account, hub } = ctx;
  const { name, amount, window, scope } = request;
  const now = hub.now();
  const id = newId();
  await checkScope(tx, account.id, scope);
  await insertBudget(tx, id, account.id, name, parseAmount(amount), window, JSON.stringify(scope), now);
  await startCounting(tx, hub, { accountId: account.id, budgetId: id, now });
  const [count] = await countBudgets(tx, account.id);
  if (count!.budgets > MAX_BUDGETS) throw invalidInput("name", `an account can have at most ${MAX_BUDGETS} budgets`);
  await storeHasBudgets(tx, account.id);
  return getBudget(ctx, id, tx);
}

/** Returns an amount in nano-euros; throws a 400 for more than nine decimal places. */
function parseAmount(euros: number): Nano {
  try {
    const nano = parseDecimal(euros);
    if (toEuros(nano) === euros) return nano;
  } catch {
    // The number has more than nine decimal places.
  }
  throw invalidInput("amount", "may have at most nine decimal places");
}

const insertBudget = statement({
  params: [uuid, int4, text, int8, textOf<BudgetWindow>(), jsonbText, timestamptz],
  row: {},
  text: `
    INSERT INTO budget (id, account_id, name, amount, "window", scope, created_at, changed_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
});

const countBudgets = statement({
  params: [int4],
  row: { budgets: notNull(int4) },
  text: "SELECT count(*)::int AS budgets FROM budget WHERE account_id = $1",
});

const storeHasBudgets = statement({ params: [int4], row: {}, text: storeHasBudgetsSql("$1") });

/**
 * Changes a budget from the next request on. Another window or scope is counted as that of a new budget, running generations
 * included. Throws a 404 if it is not the account's.
 */
export async function changeBudget(
  tx: Queryable,
  ctx: Ctx<BudgetsHub>,
  id: string,
  { name, amount, window, scope }: BudgetChange,
): Promise<{ before: Budget; after: Budget }> {
  const { account, hub } = ctx;
  if (scope) await checkScope(tx, account.id, scope);
  await lockBudget(tx, account.id, id);
  const before = await getBudget(ctx, id, tx);
  const now = hub.now();
  const [changed] = await updateBudget(
    tx,
    id,
    name ?? null,
    amount === undefined ? null : parseAmount(amount),
    window ?? null,
    scope ? JSON.stringify(scope) : null,
    now,
  );
  if (changed!.revision !== changed!.revision_before) {
    await startCounting(tx, hub, { accountId: account.id, budgetId: id, now });
    await deleteRevision(tx, id, changed!.revision_before);
  } else await beginKeyLimitChange(tx, account.id);
  return { before, after: await getBudget(ctx, id, tx) };
}

const lockBudget = async (tx: Queryable, accountId: number, id: string): Promise<void> => {
  const [locked] = isId(id) ? await selectForChange(tx, id, accountId) : [];
  if (!locked) throw budgetNotFoundError();
};

const selectForChange = statement({
  params: [uuid, int4],
  row: { id: uuid },
  text: "SELECT id FROM budget WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
});

const updateBudget = statement({
  params: [uuid, nullable(text), nullable(int8), nullable(textOf<BudgetWindow>()), nullable(jsonbText), timestamptz],
  row: { revision: int4, revision_before: int4 },
  text: `
    UPDATE budget b SET
      name = coalesce($2, b.name), amount = coalesce($3, b.amount), "window" = coalesce($4, b."window"),
      scope = coalesce($5::jsonb, b.scope),
      revision = b.revision + CASE WHEN b."window" = coalesce($4, b."window") AND b.scope = coalesce($5::jsonb, b.scope)
                                   THEN 0 ELSE 1 END,
      changed_at = CASE WHEN (b.amount, b."window", b.scope) = (coalesce($3, b.amount), coalesce($4, b."window"), coalesce($5::jsonb, b.scope))
                        THEN b.changed_at ELSE $6 END
    FROM budget before WHERE b.id = $1 AND before.id = b.id
    RETURNING b.revision, before.revision AS revision_before`,
});

const deleteRevision = statement({
  params: [uuid, int4],
  row: {},
  text: "DELETE FROM budget_spending WHERE budget_id = $1 AND revision = $2",
});

/** Removes a budget, with what was spent of it, and returns it. Throws a 404 if it is not the account's. */
export async function removeBudget(tx: Queryable, ctx: Ctx<BudgetsHub>, id: string): Promise<Budget> {
  await lockBudget(tx, ctx.account.id, id);
  const removed = await getBudget(ctx, id, tx);
  await beginKeyLimitChange(tx, ctx.account.id);
  await deleteBudget(tx, id);
  await storeHasBudgets(tx, ctx.account.id);
  return removed;
}

const deleteBudget = statement({ params: [uuid], row: {}, text: "DELETE FROM budget WHERE id = $1" });
