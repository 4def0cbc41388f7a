import type { Completion, ChatState } from "../../providers/chat-call";
import { type Nano, toEuros } from "../../lib/money";
import { AppError } from "../../errors";
import { isTokenCount, type Tokens } from "../pricing";
import type { Generation } from "../generations/row";

/**
 * Returns the response body of a finished chat (specification, section 4.5). Other members that the provider sent are
 * passed through.
 */
export function buildResponse(
  completion: Completion,
  { id, model, created_at }: Generation,
  tokens: Tokens,
  cost: Nano,
): object {
  const { usage, choices } = completion;
  return {
    ...completion,
    id,
    object: "chat.completion",
    created: Math.floor(created_at.getTime() / 1000),
    model,
    choices,
    usage: serializeUsage(usage, tokens, cost),
  };
}

/** Returns what a chat used and cost, with other members that the provider reported. */
export function serializeUsage(usage: unknown, tokens: Tokens, cost: Nano) {
  const counted = { prompt_tokens: tokens.input, completion_tokens: tokens.output };
  const reported = typeof usage === "object" && usage !== null ? (usage as Record<string, unknown>) : {};
  const sum = tokens.input + tokens.output;
  const total = isTokenCount(reported.total_tokens) ? Math.max(reported.total_tokens, sum) : sum;
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
