import type { Completion } from "../../providers/provider";
import { isTokenCount, type Tokens } from "../pricing/cost";
import type { TokenPrice } from "../pricing/price";

/**
 * Returns the tokens that a chat is charged for: the provider's counts, including cached and reasoning tokens. A
 * missing or implausible count is replaced by an upper bound: the hold's own for the prompt, one token per byte for the
 * answer.
 */
export function countTokens({ usage, choices }: Completion, price: TokenPrice): Tokens {
  const { prompt_tokens, completion_tokens } = (usage ?? {}) as Record<string, unknown>;
  return {
    input: isTokenCount(prompt_tokens) ? prompt_tokens : price.most_input_tokens,
    output: isTokenCount(completion_tokens)
      ? completion_tokens
      : Math.min(Buffer.byteLength(JSON.stringify(choices)), price.most_output_tokens),
  };
}
