import { invalidInput } from "../../errors";
import { type Nano, parseDecimal } from "../../lib/money";
import type { Cents } from "../../payments/provider";

const NANO_PER_CENT = 10_000_000n;
const MAX_CENTS = 100_000_000n;

/** Converts an amount of a request to cents. Throws 400 for fractions of a cent and for amounts beyond any payment. */
export function nanoToCents(field: string, nano: Nano): Cents {
  if (nano % NANO_PER_CENT !== 0n) throw invalidInput(field, "must have at most two decimal places");
  const cents = nano / NANO_PER_CENT;
  if (cents < 0n || cents > MAX_CENTS) throw invalidInput(field, "must be from 0 to 1000000 EUR");
  return Number(cents);
}

/** Converts an amount that a person entered in EUR to cents. Throws 400 for what is no amount, as above. */
export function eurosToCents(field: string, entered: string): Cents {
  let nano: Nano;
  try {
    nano = parseDecimal(entered.trim());
  } catch {
    throw invalidInput(field, "must be an amount in EUR, such as 12.50");
  }
  return nanoToCents(field, nano);
}
