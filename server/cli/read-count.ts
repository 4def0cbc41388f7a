import { InvalidArgumentError } from "commander";

/** A whole number of one or more from the command line. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of one or more.");
  return Number(text);
}
