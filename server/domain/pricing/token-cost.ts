import { divCeil, type Nano, parseDecimal } from "../../lib/money";
import type { Price } from "./price";

export interface Tokens {
  input: number;
  output: number;
}

/** What tokens of both kinds cost together, in nano-euros rounded up once. */
export const tokenCost = (
  { input_per_million, output_per_million }: Extract<Price, { by: "token" }>,
  { input, output }: Tokens,
): Nano =>
  divCeil(
    parseDecimal(input_per_million) * BigInt(input) + parseDecimal(output_per_million) * BigInt(output),
    1_000_000n,
  );
