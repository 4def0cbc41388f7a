import { type Nano, parseDecimal } from "../../lib/money";
import type { TokenPrice } from "./price";

/** The most tokens of output that an amount covers beside the whole prompt; 0 when it does not cover the prompt. */
export function affordableTokens(price: TokenPrice, available: Nano): number {
  const left = available * 1_000_000n - parseDecimal(price.input_per_million) * BigInt(price.most_input_tokens);
  const each = parseDecimal(price.output_per_million);
  if (left < 0n) return 0;
  const most = BigInt(price.most_output_tokens);
  return Number(each === 0n || left / each > most ? most : left / each);
}
