/** The windows of budgets, in UTC. A week begins on Monday; `total` never ends. */
export const budgetWindows = ["hour", "day", "week", "month", "total"] as const;
export type BudgetWindow = (typeof budgetWindows)[number];

/** SQL: how inexact times of entries are, because the clocks of processes differ and an entry waits for its account's lock. */
export const CLOCK_MARGIN = "interval '10 minutes'";

/** Returns SQL for the start of the window that contains `at`; 1970 for one that never ends. */
export const windowStartSql = (window: string, at: string): string =>
  `CASE ${window} WHEN 'total' THEN 'epoch'::timestamptz ELSE date_trunc(${window}, ${at}, 'UTC') END`;

/** Returns the end of the window that contains `at`; null if it never ends. */
export function getWindowEnd(window: BudgetWindow, at: Date): Date | null {
  const [year, month, day, hour] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours()];
  const daysToMonday = 7 - ((at.getUTCDay() + 6) % 7);
  const ends: Record<BudgetWindow, number | null> = {
    hour: Date.UTC(year, month, day, hour + 1),
    day: Date.UTC(year, month, day + 1),
    week: Date.UTC(year, month, day + daysToMonday),
    month: Date.UTC(year, month + 1),
    total: null,
  };
  const end = ends[window];
  return end === null ? null : new Date(end);
}
