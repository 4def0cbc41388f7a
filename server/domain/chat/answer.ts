import type { Completion, ChatState } from "../../providers/chat-call";
import { type Nano, toEuros } from "../../lib/money";
import { AppError } from "../../errors";
import { isTokenCount, type Tokens } from "../pricing/usage";
import type { TokenPrice } from "../pricing/price";
import type { Generation } from "../generations/generation";

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

/**
 * Returns the response body of a finished chat as text (specification, section 4.5). Other members that the provider
 * sent are passed through.
 */
export function serializeCompletion(
  completion: Completion,
  { id, model, created_at }: Generation,
  tokens: Tokens,
  cost: Nano,
): string {
  const { usage, choices } = completion;
  return JSON.stringify({
    ...completion,
    id,
    object: "chat.completion",
    created: Math.floor(created_at.getTime() / 1000),
    model,
    choices,
    usage: serializeUsage(usage, tokens, cost),
  });
}

/** Returns what a chat used and cost, with other members that the provider reported. */
export function serializeUsage(usage: unknown, tokens: Tokens, cost: Nano) {
  const counted = { prompt_tokens: tokens.input, completion_tokens: tokens.output };
  const reported = typeof usage === "object" && usage !== null ? (usage as Record<string, unknown>) : {};
  const total = isTokenCount(reported.total_tokens) ? reported.total_tokens : tokens.input + tokens.output;
  return { ...reported, ...counted, total_tokens: total, cost: toEuros(cost) };
}

/**
 * Returns the API error for a provider's failure (specification, section 7): a 4xx keeps its status, everything else
 * becomes 503. A retryable error has `Retry-After`.
 */
export function chatError({
  error,
  upstreamStatus = 503,
  retryAfter,
}: Omit<Extract<ChatState, { state: "failed" }>, "state" | "started">): AppError {
  const status = upstreamStatus >= 400 && upstreamStatus < 500 ? upstreamStatus : 503;
  const headers: Record<string, string> = error.retryable ? { "Retry-After": String(retryAfter ?? 1) } : {};
  return new AppError("provider_error", error.message, {}, headers, status);
}
