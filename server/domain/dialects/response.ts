import { asObject, isObject } from "../../lib/is-object";
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
  const { cached_input: cached_tokens, cache_write = 0, cache_write_long = 0, reasoning: reasoning_tokens } = tokens;
  const { prompt_tokens_details, completion_tokens_details, ...reported } = asObject(usage);
  const [prompt_tokens, completion_tokens] = [sumTokens(tokens, "input"), sumTokens(tokens, "output")];
  const sum = prompt_tokens + completion_tokens;
  const promptDetails = { cached_tokens, cache_write_tokens: cache_write + cache_write_long };
  return Object.assign(reported, {
    prompt_tokens,
    completion_tokens,
    prompt_tokens_details: mergeDetails(prompt_tokens_details, promptDetails),
    completion_tokens_details: mergeDetails(completion_tokens_details, { reasoning_tokens }),
    total_tokens: isTokenCount(reported.total_tokens) ? Math.max(reported.total_tokens, sum) : sum,
    cost: toEuros(cost),
  });
}

/**
 * Returns details of a total with these counts, under OpenAI's names, as far as there are such tokens or the provider reports
 * them itself; undefined if there are none.
 */
function mergeDetails(reported: unknown, counts: Record<string, number | undefined>) {
  const own = isObject(reported) ? reported : null;
  const shown = Object.entries(counts).filter(([part, count]) => count || own?.[part] !== undefined);
  if (!own && shown.length === 0) return undefined;
  return { ...own, ...Object.fromEntries(shown.map(([part, count]) => [part, count ?? 0])) };
}
