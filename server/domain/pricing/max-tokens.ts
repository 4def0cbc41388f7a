import type { Pricing } from "../../catalogue/model";
import { maxPromptTokens } from "./max-prompt-tokens";
import type { Tokens } from "./token-cost";

/**
 * An upper bound of the tokens that a chat can use: of its prompt, and of the answer what the customer allows, at most
 * what the model can make. Without a limit of the customer's it is the model's own, as far as the context leaves room.
 */
export function maxTokens(
  { contextLength, maxOutputTokens }: Extract<Pricing, { by: "token" }>,
  input: Record<string, unknown>,
): Tokens {
  const prompt = maxPromptTokens(input, contextLength);
  const asked = [input.max_tokens, input.max_completion_tokens].filter((limit) => typeof limit === "number");
  if (asked.length > 0) return { input: prompt, output: Math.min(Math.max(...asked), maxOutputTokens) };
  // Servers refuse a limit that prompt and context leave no room for. Hardly a text has a token for every two bytes.
  const room = contextLength === null ? Infinity : contextLength - Math.ceil(prompt / 2);
  return { input: prompt, output: Math.max(1, Math.min(maxOutputTokens, room)) };
}
