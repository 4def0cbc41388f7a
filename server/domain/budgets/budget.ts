import type { Account, Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { int4, int8, jsonb, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { toEuros } from "../../lib/money";
import { getAccountById } from "../accounts";
import type { BudgetsHub } from "./hub";
import type { BudgetScope } from "./scope";
import { type BudgetWindow, getWindowEnd, windowStartSql } from "./window";

const columns = {
  id: uuid,
  name: text,
  amount: int8,
  window: textOf<BudgetWindow>(),
  scope: jsonb<BudgetScope>(),
};

const budgetColumns = {
  ...columns,
  /** Charges and holds of the current window; of the end user who spent most if the budget is for each of them. */
  spent: notNull(int8),
};

/** A budget row. Money in nano-euros. */
export type Budget = RowOf<typeof budgetColumns>;

/** Returns the public representation of a budget (contract, Platforms). */
export const serializeBudget = ({ amount, spent, window, ...budget }: Budget, now: Date) => ({
  ...budget,
  amount: toEuros(amount),
  window,
  spent: toEuros(spent),
  resets_at: getWindowEnd(window, now)?.toISOString() ?? null,
});

/** Returns the account's budgets, oldest first. */
export const listBudgets = ({ hub, account }: Ctx<BudgetsHub>): Promise<Budget[]> =>
  selectBudgets(hub.db, account.id, hub.now(), null);

/** Returns one of the account's budgets. Throws a 404 if none has this id. */
export async function getBudget({ hub, account }: Ctx<BudgetsHub>, id: string, db: Queryable): Promise<Budget> {
  const [budget] = isId(id) ? await selectBudgets(db, account.id, hub.now(), id) : [];
  if (!budget) throw budgetNotFoundError();
  return budget;
}

export const budgetNotFoundError = () => new AppError("resource_not_found", "There is no such budget.");

const selectBudgets = statement({
  params: [int4, timestamptz, nullable(uuid)],
  row: budgetColumns,
  text: `
    SELECT ${columnList(columns, "b")},
           coalesce((
             SELECT max(s.reserved + s.charged) FROM budget_spending s
             WHERE s.budget_id = b.id AND s.revision = b.revision
               AND s.starts_at = ${windowStartSql('b."window"', "$2::timestamptz")}
           ), 0) AS spent
    FROM budget b WHERE b.account_id = $1 AND ($3::uuid IS NULL OR b.id = $3) ORDER BY b.id`,
});

/** Returns the account of a budget. Throws a 404 if there is none. */
export async function findBudgetAccount(hub: BudgetsHub, id: string): Promise<Account> {
  const budget = isId(id)
    ? await hub.db.prisma.budget.findUnique({ where: { id }, select: { accountId: true } })
    : null;
  if (!budget) throw budgetNotFoundError();
  return getAccountById(hub, budget.accountId);
}
