import { invalidInput } from "../../errors";
import { type Nano, parseDecimal, toEuros } from "../../lib/money";

/** Throws a 400 for an expiry that has passed. */
export function checkExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt && expiresAt <= now) throw invalidInput("expires_at", "must be in the future");
}

/** Returns a spend limit in nano-euros; throws a 400 for more than nine decimal places. */
export function parseSpendLimit(euros: number | null): Nano | null {
  if (euros === null) return null;
  const nano = toNano(euros);
  if (nano === null) throw invalidInput("spend_limit", "may have at most nine decimal places");
  return nano;
}

function toNano(euros: number): Nano | null {
  try {
    const nano = parseDecimal(euros);
    // An amount below one nano-euro would be rounded to zero.
    return toEuros(nano) === euros ? nano : null;
  } catch {
    return null;
  }
}
