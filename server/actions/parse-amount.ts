import { invalidInput } from "../errors";
import { type Nano, parseDecimal, toEuros } from "../lib/money";

/** The highest amount of a credit, a correction or a limit. */
const MAX_EUROS = 1_000_000;
const MAX_NANO = parseDecimal(MAX_EUROS);

/** Returns an amount in EUR as exact nano-euros. Throws a 400, also for more than nine decimal places. */
export function parseAmount(euros: string | number, place = "amount"): Nano {
  const amount = readDecimal(euros);
  if (amount === null) throw invalidInput(place, "must be an amount in EUR, such as 12.50 or -3");
  if (amount === 0n || amount > MAX_NANO || amount < -MAX_NANO)
    throw invalidInput(place, `must be between -${MAX_EUROS} and ${MAX_EUROS}, and not 0`);
  return amount;
}

function readDecimal(euros: string | number): Nano | null {
  try {
    const nano = parseDecimal(euros);
    // A number that is written with an exponent, such as 1.5e-9, would be rounded.
    return typeof euros === "string" || toEuros(nano) === euros ? nano : null;
  } catch {
    return null;
  }
}
