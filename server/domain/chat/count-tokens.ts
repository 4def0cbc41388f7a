import type { Completion } from "../../providers/provider";
import type { TokenPrice } from "../pricing/price";
import type { Tokens } from "../pricing/token-cost";

/** No chat comes near. */
const MOST = 1_000_000_000;

/**
 * The tokens that a chat is charged for: as upstream counted them, cached and reasoning tokens included as it does. A
 * count that is missing, negative, no integer or beyond reason is replaced by the bound that the hold was made with: for
 * the prompt the hold's own, for the answer a token for each byte of it.
 */
export function countTokens({ usage, choices }: Completion, price: TokenPrice): Tokens {
  const { prompt_tokens, completion_tokens } = (usage ?? {}) as Record<string, unknown>;
  return {
    input: isCount(prompt_tokens) ? prompt_tokens : price.most_input_tokens,
    output: isCount(completion_tokens)
      ? completion_tokens
      : Math.min(Buffer.byteLength(JSON.stringify(choices)), price.most_output_tokens),
  };
}

export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST;
