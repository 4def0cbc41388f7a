import type { Pricing } from "../../catalogue/model";
import type { Tokens } from "./token-cost";

/**
 * An upper bound of the tokens that a chat can use. No tokenizer makes more tokens of a text than it has bytes;
 * what upstream refuses beyond the model's context is not counted.
 */
export function mostTokens(
  { contextLength, maxOutputTokens }: Extract<Pricing, { by: "token" }>,
  input: Record<string, unknown>,
): Tokens {
  const bytes = Buffer.byteLength(JSON.stringify(input));
  const asked = input.max_completion_tokens ?? input.max_tokens;
  return {
    input: Math.min(bytes, contextLength ?? bytes),
    output: typeof asked === "number" ? Math.min(asked, maxOutputTokens) : maxOutputTokens,
  };
}
