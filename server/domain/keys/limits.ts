import { invalidInput } from "../../errors";
import { type Nano, parseDecimal, toEuros } from "../../lib/money";
import { startOfMonth } from "../../lib/start-of-month";

/** Throws a 400 for an expiry that has passed. */
export function checkExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt && expiresAt <= now) throw invalidInput("expires_at", "must be in the future");
}

/** Returns a spend limit in nano-euros; throws a 400 for more than nine decimal places. */
export function parseSpendLimit(euros: number | null): Nano | null {
  if (euros === null) return null;
  try {
    const nano = parseDecimal(euros);
    // An amount below one nano-euro would be rounded to zero.
    if (toEuros(nano) === euros) return nano;
  } catch {
    // The number has more than nine decimal places.
  }
  throw invalidInput("spend_limit", "may have at most nine decimal places");
}

/** When the spending of a key resets: at 0:00 UTC each day or on the first of each month; null for never. */
export type SpendReset = "day" | "month" | null;

/** Returns SQL for the first day of the period of `reset` that contains `at`. */
export const periodSql = (reset: string, at: string) => `
  CASE ${reset} WHEN 'day' THEN (${at} AT TIME ZONE 'UTC')::date
                WHEN 'month' THEN date_trunc('month', ${at} AT TIME ZONE 'UTC')::date
                ELSE DATE '1970-01-01' END`;

/** Returns the end of the period that contains `at`; null if it never ends. */
export function getNextReset(reset: SpendReset, at: Date): Date | null {
  if (reset === null) return null;
  if (reset === "month") return startOfMonth(at, 1);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1));
}
