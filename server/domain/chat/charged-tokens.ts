import { isTokenCount, type TokenPrice, type Tokens } from "../pricing";

/** What the hub counts itself when the provider does not report it. */
export interface CountedText {
  /** Whether the model has generated any text. */
  hasOutput: boolean;
  /** Estimates the tokens of the prompt. */
  countPrompt: () => Promise<number>;
  /** Estimates the tokens of the generated text. */
  countOutput: () => number | Promise<number>;
}

/**
 * Returns the tokens that a chat is charged for, streamed or not: the provider's counts, plus reasoning that it does not count
 * as completion. The hub counts what the provider omits, and what it reports as zero although there is text.
 */
export async function findChargedTokens(usage: unknown, text: CountedText, price: TokenPrice): Promise<Tokens> {
  const { prompt_tokens, completion_tokens } = (usage ?? {}) as Record<string, unknown>;
  const { hasOutput } = text;
  const isReported = isTokenCount(completion_tokens) && (completion_tokens > 0 || !hasOutput);
  const countOutput = async () =>
    Math.min(Math.max(await text.countOutput(), hasOutput ? 1 : 0), price.most_output_tokens);
  return {
    input: isTokenCount(prompt_tokens) && prompt_tokens > 0 ? prompt_tokens : await text.countPrompt(),
    output: isReported ? completion_tokens + readExtraReasoning(usage!) : await countOutput(),
  };
}

interface ReportedUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  total_tokens?: unknown;
  reasoning_tokens?: unknown;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
}

/**
 * Returns the reasoning tokens that a provider does not count as part of the completion. OpenAI counts them there. Others do
 * not, as a total that includes them separately shows, or a completion that has fewer tokens than its reasoning.
 */
function readExtraReasoning(usage: ReportedUsage): number {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? usage.reasoning_tokens;
  if (!isTokenCount(reasoning) || !isTokenCount(completion)) return 0;
  const isInTotal = isTokenCount(total) && isTokenCount(prompt) && total >= prompt + completion + reasoning;
  return isInTotal || reasoning > completion ? reasoning : 0;
}
