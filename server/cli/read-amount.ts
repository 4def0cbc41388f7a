import { InvalidArgumentError } from "commander";
import { type Nano, parseDecimal } from "../lib/money";

/** An amount of EUR from the command line, exact. */
export function readAmount(text: string): Nano {
  try {
    return parseDecimal(text);
  } catch {
    throw new InvalidArgumentError("It must be a decimal of EUR with at most nine places, as 12.5.");
  }
}
