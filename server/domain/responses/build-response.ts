import type { AnsweredChat, BilledUsage } from "../dialects";
import { asObject } from "../../lib/is-object";
import { toResponseId } from "./ids";
import type { Json } from "./json";

/** What the response repeats of its request. */
export interface Echo {
  request: Json;
  /** The client's tools without those that the hub has dropped. */
  tools: unknown[];
  previousId: string | null;
  isStored: boolean;
}

/** Returns the response of a chat that has begun: without output, with the members of its request. */
export function beginResponse({ request, tools, previousId, isStored }: Echo, chat: AnsweredChat): Json {
  const { reasoning, text } = request;
  return {
    id: toResponseId(chat.id),
    object: "response",
    instructions: orNull(request.instructions),
    max_output_tokens: orNull(request.max_output_tokens),
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    prompt_cache_key: orNull(request.prompt_cache_key),
    safety_identifier: orNull(request.safety_identifier),
    service_tier: orNull(request.service_tier),
    temperature: orNull(request.temperature),
    tool_choice: request.tool_choice ?? "auto",
    top_p: orNull(request.top_p),
    user: orNull(request.user),
    created_at: Math.floor(chat.created_at.getTime() / 1000),
    completed_at: null,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    max_tool_calls: null,
    model: chat.model,
    output: [],
    previous_response_id: previousId,
    reasoning: { effort: null, summary: null, ...asObject(reasoning) },
    store: isStored,
    text: { format: { type: "text" }, ...asObject(text) },
    tools,
    top_logprobs: 0,
    truncation: "disabled",
    usage: null,
  };
}

const orNull = (value: unknown): unknown => value ?? null;

const INCOMPLETE: Record<string, string> = { length: "max_output_tokens", content_filter: "content_filter" };

/** Returns how a response ended by the finish reason of its chat. */
export function describeEnd(finishReason: string): Json & { status: "completed" | "incomplete" } {
  const reason = Object.hasOwn(INCOMPLETE, finishReason) ? INCOMPLETE[finishReason] : undefined;
  return reason === undefined
    ? { status: "completed", incomplete_details: null }
    : { status: "incomplete", incomplete_details: { reason } };
}

/** Returns what a chat has used in the members of a response, with its cost in EUR. */
export function toResponseUsage(usage: BilledUsage): Json {
  const prompt = asObject(usage.prompt_tokens_details);
  const completion = asObject(usage.completion_tokens_details);
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: {
      cached_tokens: prompt.cached_tokens ?? 0,
      cache_write_tokens: prompt.cache_write_tokens ?? 0,
    },
    output_tokens: usage.completion_tokens,
    output_tokens_details: { reasoning_tokens: completion.reasoning_tokens ?? 0 },
    total_tokens: usage.total_tokens,
    cost: usage.cost,
  };
}

/** Returns a response without the ciphertext of its reasoning. */
export function hideReasoning(response: Json): Json {
  const output = response.output as Json[];
  return output.some(hasCiphertext) ? { ...response, output: output.map(hideItem) } : response;
}

const hasCiphertext = (item: Json): boolean => Object.hasOwn(item, "encrypted_content");

/** Returns an item, or an event of one, without the ciphertext of reasoning. */
export function hideItem<T extends Json>(item: T): T {
  if (!hasCiphertext(item)) return item;
  const rest = { ...item };
  delete rest.encrypted_content;
  return rest;
}
