import { cutText } from "../../lib/cut-text";
import { isObject, asObject } from "../../lib/is-object";
import type { NativeEvent } from "../../providers/chat-call";
import { describeStop, parseInput } from "./answer";
import type { Json } from "./translation";

/** A longer message is cut, because it waits in memory until the stream ends. */
const MAX_LENGTH = 256 * 1024;

/** The message that the events of a native stream make together, up to a maximum length. */
interface NativeTranscript {
  add(event: NativeEvent): void;
  /** Returns the message so far; null before it has started. */
  toMessage(finishReason: string): Json | null;
}

/** The members to which deltas add text. */
const TEXTS: Record<string, string> = { text_delta: "text", thinking_delta: "thinking", signature_delta: "signature" };

export function createNativeTranscript(): NativeTranscript {
  const blocks = new Map<unknown, Json>();
  const inputs = new Map<unknown, string>();
  let message: Json | null = null;
  let ending: Json = {};
  let room = MAX_LENGTH;
  const fit = (text: unknown): string => {
    const part = typeof text === "string" ? cutText(text, Math.max(room, 0)) : "";
    room -= typeof text === "string" ? text.length : 0;
    return part;
  };
  const addDelta = (index: unknown, delta: Json) => {
    const block = blocks.get(index);
    if (!block) return;
    const { type } = delta;
    const name = typeof type === "string" && Object.hasOwn(TEXTS, type) ? TEXTS[type]! : null;
    if (name) block[name] = (typeof block[name] === "string" ? block[name] : "") + fit(delta[name]);
    else if (type === "input_json_delta") inputs.set(index, (inputs.get(index) ?? "") + fit(delta.partial_json));
    else if (type === "citations_delta") {
      room -= JSON.stringify(delta).length;
      if (!Array.isArray(block.citations)) block.citations = [];
      if (room > 0) (block.citations as unknown[]).push(delta.citation);
    }
  };
  return {
    add({ type, data }) {
      if (type === "message_start" && isObject(data.message)) message = data.message;
      else if (type === "content_block_start" && isObject(data.content_block)) {
        room -= JSON.stringify(data.content_block).length;
        if (room > 0) blocks.set(data.index, structuredClone(data.content_block));
      } else if (type === "content_block_delta" && isObject(data.delta)) addDelta(data.index, data.delta);
      else if (type === "message_delta") ending = mergeEnding(ending, data);
    },
    toMessage(finishReason) {
      if (!message) return null;
      const content = [...blocks].map(([index, block]) => {
        const input = inputs.get(index);
        return input === undefined ? block : { ...block, input: parseInput(input) };
      });
      const hasTools = content.some((block) => block.type === "tool_use");
      const isCut = room < 0;
      const stop =
        isCut || !isObject(ending.delta) ? describeStop(isCut ? "length" : finishReason, hasTools) : ending.delta;
      const usage = { ...asObject(message.usage), ...(ending.usage as Json | undefined) };
      return { ...message, content, ...stop, usage };
    },
  };
}

/** Merges two `message_delta` events; members of the later one win. */
export const mergeEnding = (earlier: Json, later: Json): Json => ({
  ...earlier,
  ...later,
  delta: { ...asObject(earlier.delta), ...asObject(later.delta) },
  usage: { ...asObject(earlier.usage), ...asObject(later.usage) },
});
