import type { Completion } from "../../providers/chat-call";
import { type Nano, toEuros } from "../../lib/money";
import { sumTokens, type Tokens } from "../../catalogue/token-classes";
import { isTokenCount } from "../tokens";
import type { AnsweredChat, BilledUsage } from "./dialect";

/**
 * Returns the response body of a finished chat (specification, section 4.5). Other members that the provider sent are
 * passed through.
 */
export function buildResponse(
  completion: Completion,
  { id, model, created_at }: AnsweredChat,
  usage: BilledUsage,
): Record<string, unknown> {
  return {
    ...completion,
    id,
    object: "chat.completion",
    created: Math.floor(created_at.getTime() / 1000),
    model,
    usage,
  };
}

/** Returns what a chat used and cost, with other members that the provider reported. */
export function serializeUsage(usage: unknown, tokens: Tokens, cost: Nano): BilledUsage {
  const counted = { prompt_tokens: sumTokens(tokens, "input"), completion_tokens: sumTokens(tokens, "output") };
  const reported = typeof usage === "object" && usage !== null ? (usage as Record<string, unknown>) : {};
  const sum = counted.prompt_tokens + counted.completion_tokens;
  const total = isTokenCount(reported.total_tokens) ? Math.max(reported.total_tokens, sum) : sum;
  return { ...reported, ...counted, ...serializeDetails(reported, tokens), total_tokens: total, cost: toEuros(cost) };
}

/** Returns OpenAI's details of the classes that a provider reports, under whichever names it does. */
function serializeDetails(reported: Record<string, unknown>, tokens: Tokens) {
  const { cached_input: cached_tokens, cache_write = 0, cache_write_long = 0, reasoning: reasoning_tokens } = tokens;
  const prompt = { cached_tokens, cache_write_tokens: cache_write + cache_write_long };
  return {
    ...mergeDetails("prompt_tokens_details", reported, prompt),
    ...mergeDetails("completion_tokens_details", reported, { reasoning_tokens }),
  };
}

/** Returns the member `name` with these counts, as far as there are such tokens or the provider reports them itself. */
function mergeDetails(name: string, reported: Record<string, unknown>, counts: Record<string, number | undefined>) {
  const own = asObject(reported[name]);
  const shown = Object.entries(counts).filter(([part, count]) => count || own?.[part] !== undefined);
  return own || shown.length > 0
    ? { [name]: { ...own, ...Object.fromEntries(shown.map(([part, count]) => [part, count ?? 0])) } }
    : {};
}

const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
