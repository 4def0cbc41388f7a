import { InvalidArgumentError } from "commander";
import { type Nano, parseDecimal } from "../lib/money";

/** Returns an amount in EUR from the command line, as exact nano-euros. */
export function readAmount(text: string): Nano {
  try {
    return parseDecimal(text);
  } catch {
    throw new InvalidArgumentError("It must be an amount in EUR with at most nine decimal places, such as 12.5.");
  }
}
