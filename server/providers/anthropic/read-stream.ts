import { isObject } from "../../lib/is-object";
import { type ChatChunk, NATIVE } from "../chat-call";
import { toFinishReason } from "./read-message";

type Json = Record<string, unknown>;
type Delta = Json | null;

/** A stream that opens more tools is broken. */
const MAX_TOOLS = 1_000;

/**
 * Returns the reader of one stream of Messages: it returns an event as a chunk, which has the event itself as NATIVE, or null for
 * what cannot be read. Counts of usage are totals so far, and each chunk with usage has all of them.
 */
export function createEventReader(): (event: unknown) => ChatChunk | null {
  const tools = new Map<unknown, number>();
  let usage: Json = {};

  const readStart = (index: unknown, block: Json): Delta => {
    const { type, id, name, text, thinking } = block;
    if (type === "text" && text) return { content: text };
    if (type === "thinking" && thinking) return { reasoning_content: thinking };
    if (type !== "tool_use") return null;
    const n = tools.size;
    tools.set(index, n);
    return { tool_calls: [{ index: n, id, type: "function", function: { name, arguments: "" } }] };
  };
  const readDelta = (index: unknown, { type, text, thinking, partial_json }: Json): Delta => {
    if (type === "text_delta") return { content: text };
    if (type === "thinking_delta") return { reasoning_content: thinking };
    if (type !== "input_json_delta" || !tools.has(index)) return null;
    return { tool_calls: [{ index: tools.get(index), function: { arguments: partial_json } }] };
  };
  const addUsage = (counts: unknown): Json | undefined => {
    if (!isObject(counts)) return undefined;
    const present = Object.entries(counts).filter(([, count]) => count !== null && count !== undefined);
    usage = { ...usage, ...Object.fromEntries(present) };
    return usage;
  };

  return (event) => {
    if (!isObject(event) || typeof event.type !== "string" || tools.size > MAX_TOOLS) return null;
    const { type, index, message, content_block: block, delta } = event;
    const chunk = (part: Delta = null, finishReason: string | null = null): ChatChunk => ({
      [NATIVE]: { type, data: event },
      choices: part || finishReason ? [{ index: 0, delta: part ?? {}, finish_reason: finishReason }] : [],
    });
    if (type === "message_start") {
      const counted = isObject(message) ? addUsage(message.usage) : undefined;
      return { ...chunk({ role: "assistant" }), usage: counted };
    }
    if (type === "content_block_start") return chunk(isObject(block) ? readStart(index, block) : null);
    if (type === "content_block_delta") return chunk(isObject(delta) ? readDelta(index, delta) : null);
    if (type === "message_delta") {
      const reason = isObject(delta) ? delta.stop_reason : null;
      const counted = addUsage(event.usage);
      return { ...chunk(null, typeof reason === "string" ? toFinishReason(reason) : null), usage: counted };
    }
    return chunk();
  };
}
