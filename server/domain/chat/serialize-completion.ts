import { type Nano, toEuros } from "../../lib/money";
import type { Completion } from "../../providers/provider";
import type { Generation } from "../generations/generation";
import { isTokenCount, type Tokens } from "../pricing/cost";

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
  const counted = { prompt_tokens: tokens.input, completion_tokens: tokens.output };
  const reported = typeof usage === "object" && usage !== null ? (usage as Record<string, unknown>) : {};
  const total = isTokenCount(reported.total_tokens) ? reported.total_tokens : tokens.input + tokens.output;
  return JSON.stringify({
    ...completion,
    id,
    object: "chat.completion",
    created: Math.floor(created_at.getTime() / 1000),
    model,
    choices,
    usage: { ...reported, ...counted, total_tokens: total, cost: toEuros(cost) },
  });
}
