import { asObject, isObject } from "../../lib/is-object";
import type { BilledUsage } from "../dialects";
import type { Json } from "./translation";

const asCount = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);

/**
 * Returns the usage and cost of a chat in the format of Messages, whose input tokens are those that no cache has read or
 * written.
 */
export function toMessagesUsage(usage: BilledUsage): Json {
  const prompt = asObject(usage.prompt_tokens_details);
  const completion = asObject(usage.completion_tokens_details);
  const [read, written] = [asCount(prompt.cached_tokens), asCount(prompt.cache_write_tokens)];
  const split = asObject(prompt.cache_write_tokens_details);
  const long = Math.min(asCount(split.ttl_12h_tokens), written);
  const thinking = asCount(completion.reasoning_tokens);
  return {
    input_tokens: Math.max(0, usage.prompt_tokens - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: written - long, ephemeral_1h_input_tokens: long },
    output_tokens: usage.completion_tokens,
    ...(thinking > 0 && { output_tokens_details: { thinking_tokens: thinking } }),
    cost: usage.cost,
  };
}

/** Returns the usage that Anthropic reports, with the cost at this hub; what the hub has counted if it reports none. */
export const addCost = (reported: unknown, billed: BilledUsage): Json =>
  isObject(reported) ? { ...reported, cost: billed.cost } : toMessagesUsage(billed);
