/** Budgets: how much some of an account's generations may spend in a window. See docs/budgets.md. */
export { findBudgetAccount, listBudgets, serializeBudget } from "./budget";
export { changeBudget, createBudget, removeBudget } from "./change-budget";
export { findTightestBudget } from "./find-tightest";
export { BudgetInput, BudgetPatch } from "./input";
export { changeBudgetByOperator, createBudgetByOperator, removeBudgetByOperator } from "./operate-on-budget";
export { purgeBudgetWindows } from "./purge";
export { type BudgetWindow, budgetWindows, getWindowEnd } from "./window";
