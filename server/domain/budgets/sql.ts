/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { budgetAmountsSql, holdBudgetsSql, payBudgetsSql } from "./spending-sql";
export { CLOCK_MARGIN, windowStartSql } from "./window";
