/** When what a key has spent begins to count anew: at 0:00 UTC of each day or first of the month, or never. */
export type SpendReset = "day" | "month" | null;

/** SQL: the first day of the period that holds the time `at`, for a key whose limit resets as `reset` says. */
export const periodSql = (reset: string, at: string) => `
  CASE ${reset} WHEN 'day' THEN (${at} AT TIME ZONE 'UTC')::date
                WHEN 'month' THEN date_trunc('month', ${at} AT TIME ZONE 'UTC')::date
                ELSE DATE '1970-01-01' END`;

/** When the period that holds `at` ends; null when it never does. */
export function getNextReset(reset: SpendReset, at: Date): Date | null {
  if (reset === null) return null;
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return new Date(reset === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1));
}
