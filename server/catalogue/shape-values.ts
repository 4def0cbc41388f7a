import { z } from "zod";
import { type Nano, parseDecimal, toEuros } from "../lib/money";

export const MAX_PRICE = 1_000;
export const DAY_SECONDS = 86_400;

export const Id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._:-]{0,127}$/, "must match [a-z0-9][a-z0-9._:-]* and have at most 128 characters");
const nameMessage = "must start with a letter and contain only letters, digits, _ . and -";
/** Name of a parameter, of the model or the upstream. */
export const Name = z.string().regex(/^[A-Za-z][\w.-]{0,127}$/, nameMessage);
/** Values by the name of a parameter. */
export const ByName = z.record(Name, z.unknown(), {
  error: ({ code }) => (code === "invalid_key" ? nameMessage : undefined),
});
export const text = (maxLength: number) => z.string().min(1).max(maxLength);
export const count = (max: number) => z.int().min(1).max(max);
/** A share of the work, compared with others. */
export const Weight = count(1_000);

/** Returns an amount in nano, or null. Up to a million with nine decimal places, a double is converted without loss. */
function readAmount(value: number | string, max: number): Nano | null {
  try {
    const nano = parseDecimal(value);
    const isExact = typeof value === "string" || toEuros(nano) === value;
    return isExact && nano >= 0n && toEuros(nano) <= max ? nano : null;
  } catch {
    return null;
  }
}

function amountUpTo(max: number) {
  const message = `must be a decimal from 0 to ${max} with at most nine decimal places`;
  return z.union([z.number(), z.string()], { error: message }).transform((value, context): Nano => {
    const nano = readAmount(value, max);
    if (nano !== null) return nano;
    context.addIssue(message);
    return z.NEVER;
  });
}

export const Price = amountUpTo(MAX_PRICE);
/** What a tier of service multiplies prices by. */
export const Multiplier = amountUpTo(100);
export const DayLimit = amountUpTo(1_000_000);

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: "must be a string, a number, true, false or null",
});

/** Values that parameters must have. */
export const Match = z.record(z.string(), Scalar);
