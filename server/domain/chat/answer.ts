import type { Completion, ChatState } from "../../providers/chat-call";
import { type Nano, toEuros } from "../../lib/money";
import { AppError } from "../../errors";
import { sumTokens, type Tokens } from "../../catalogue/token-classes";
import { isTokenCount } from "../tokens";
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
  const counted = { prompt_tokens: sumTokens(tokens, "input"), completion_tokens: sumTokens(tokens, "output") };
  const reported = typeof usage === "object" && usage !== null ? (usage as Record<string, unknown>) : {};
  const sum = counted.prompt_tokens + counted.completion_tokens;
  const total = isTokenCount(reported.total_tokens) ? Math.max(reported.total_tokens, sum) : sum;
  return { ...reported, ...counted, ...serializeDetails(reported, tokens), total_tokens: total, cost: toEuros(cost) };
}

/** Returns OpenAI's details of the classes that a provider reports, under whichever names it does. */
function serializeDetails(reported: Record<string, unknown>, tokens: Tokens) {
  const { cached_input: cached = 0, cache_write: short = 0, cache_write_long: long = 0, reasoning = 0 } = tokens;
  const [prompt, completion] = [asObject(reported.prompt_tokens_details), asObject(reported.completion_tokens_details)];
  const written = short + long;
  return {
    ...((prompt || cached > 0 || written > 0) && {
      prompt_tokens_details: {
        ...prompt,
        ...((prompt?.cached_tokens !== undefined || cached > 0) && { cached_tokens: cached }),
        ...((prompt?.cache_write_tokens !== undefined || written > 0) && { cache_write_tokens: written }),
      },
    }),
    ...((completion || reasoning > 0) && {
      completion_tokens_details: {
        ...completion,
        ...((completion?.reasoning_tokens !== undefined || reasoning > 0) && { reasoning_tokens: reasoning }),
      },
    }),
  };
}

const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

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
