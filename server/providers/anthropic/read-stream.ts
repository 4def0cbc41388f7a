import { asObject, isObject } from "../../lib/is-object";
import { type ChatChunk, NATIVE } from "../chat-call";
import { toFinishReason } from "./read-message";

type Json = Record<string, unknown>;
type Delta = Json | null;

/** The counts that are charged for. Others are dropped, because each event could add new ones. */
const COUNTED = [
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
  "output_tokens",
  "output_tokens_details",
  "service_tier",
];
/** A stream that opens more tools is broken. */
const MAX_TOOLS = 1_000;

/**
 * Returns the reader of one stream of Messages: it returns an event as a chunk, which has the event itself as NATIVE if the call
 * was in Messages, or null for what cannot be read. Counts of usage are totals so far, and each chunk with usage has all of them.
 */
export function createEventReader(isNative: boolean): (event: unknown) => ChatChunk | null {
  const tools = new Map<unknown, { n: number; hasInput: boolean }>();
  let total: Json = {};

  const readStart = (index: unknown, block: Json): Delta => {
    const { type, id, name, input, text, thinking } = block;
    if (type === "text" && text) return { content: text };
    if (type === "thinking" && thinking) return { reasoning_content: thinking };
    if (type !== "tool_use") return null;
    const n = tools.size;
    const hasInput = isObject(input) && Object.keys(input).length > 0;
    tools.set(index, { n, hasInput });
    const called = { name, arguments: hasInput ? JSON.stringify(input) : "" };
    return { tool_calls: [{ index: n, id, type: "function", function: called }] };
  };
  const readDelta = (index: unknown, { type, text, thinking, partial_json }: Json): Delta => {
    if (type === "text_delta") return { content: text };
    if (type === "thinking_delta") return { reasoning_content: thinking };
    const tool = tools.get(index);
    if (type !== "input_json_delta" || !tool) return null;
    tool.hasInput ||= partial_json !== "";
    return { tool_calls: [{ index: tool.n, function: { arguments: partial_json } }] };
  };
  // A tool without parameters gets no text, but clients of chats parse the arguments as JSON.
  const readStop = (index: unknown): Delta => {
    const tool = tools.get(index);
    if (!tool || tool.hasInput) return null;
    return { tool_calls: [{ index: tool.n, function: { arguments: "{}" } }] };
  };
  const addUsage = (counts: unknown): Json | undefined => {
    if (!isObject(counts)) return undefined;
    const present = COUNTED.filter((name) => counts[name] !== null && counts[name] !== undefined);
    total = { ...total, ...Object.fromEntries(present.map((name) => [name, counts[name]])) };
    return total;
  };

  /** What an event adds to the message, by its type; others add nothing. */
  const readers: Record<string, (event: Json) => Partial<Addition>> = {
    message_start: ({ message }) => ({ delta: { role: "assistant" }, usage: addUsage(asObject(message).usage) }),
    content_block_start: ({ index, content_block: block }) => ({ delta: readStart(index, asObject(block)) }),
    content_block_delta: ({ index, delta }) => ({ delta: readDelta(index, asObject(delta)) }),
    content_block_stop: ({ index }) => ({ delta: readStop(index) }),
    message_delta({ delta, usage: counts }) {
      const { stop_reason: reason } = asObject(delta);
      return { finishReason: typeof reason === "string" ? toFinishReason(reason) : null, usage: addUsage(counts) };
    },
  };

  return (event) => {
    if (!isObject(event) || typeof event.type !== "string" || tools.size > MAX_TOOLS) return null;
    const { type } = event;
    const { delta = null, finishReason = null, usage } = Object.hasOwn(readers, type) ? readers[type]!(event) : {};
    const choices = delta || finishReason ? [{ index: 0, delta: delta ?? {}, finish_reason: finishReason }] : [];
    return { ...(isNative && { [NATIVE]: { type, data: event } }), choices, usage };
  };
}

interface Addition {
  delta: Delta;
  finishReason: string | null;
  usage: Json | undefined;
}
