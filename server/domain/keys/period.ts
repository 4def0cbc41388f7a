/** When a key's spend counter resets: at 0:00 UTC each day or on the first of each month; null for never. */
export type SpendReset = "day" | "month" | null;

/** Returns SQL for the first day of the spend period that contains `at`, for a key whose limit resets by `reset`. */
export const periodSql = (reset: string, at: string) => `
  CASE ${reset} WHEN 'day' THEN (${at} AT TIME ZONE 'UTC')::date
                WHEN 'month' THEN date_trunc('month', ${at} AT TIME ZONE 'UTC')::date
                ELSE DATE '1970-01-01' END`;

/** Returns the end of the spend period that contains `at`; null when it never ends. */
export function getNextReset(reset: SpendReset, at: Date): Date | null {
  if (reset === null) return null;
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return new Date(reset === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1));
}
