import { isObject } from "../../lib/is-object";
import { type Completion, NATIVE } from "../chat-call";

type Json = Record<string, unknown>;

const FINISH_REASONS = new Map([
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"],
]);

/** Returns the finish reason of a chat for the reason with which a message stopped. */
export const toFinishReason = (reason: string): string => FINISH_REASONS.get(reason) ?? "stop";

/**
 * Returns a message as a completion; null for anything else. The completion has the message itself as NATIVE only if
 * the call was in Messages: a client of another dialect would take it for an answer in its own.
 */
export function readMessage(message: unknown, isNative: boolean): Completion | null {
  if (!isObject(message) || !Array.isArray(message.content)) return null;
  const blocks = message.content.filter(isObject);
  const reason = message.stop_reason;
  const thoughts = joinTexts(blocks, "thinking", "thinking");
  const calls = blocks.filter(({ type }) => type === "tool_use").map(toToolCall);
  const text = joinTexts(blocks, "text", "text");
  const reply = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(thoughts !== "" && { reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...(isNative && { [NATIVE]: message }),
    choices: [
      { index: 0, message: reply, finish_reason: toFinishReason(typeof reason === "string" ? reason : "end_turn") },
    ],
    usage: message.usage,
  };
}

const joinTexts = (blocks: Json[], kind: string, member: string): string =>
  blocks
    .filter(({ type }) => type === kind)
    .map((block) => (typeof block[member] === "string" ? block[member] : ""))
    .join("");

const toToolCall = ({ id, name, input }: Json) => ({
  id: String(id),
  type: "function",
  function: { name: String(name), arguments: JSON.stringify(input ?? {}) },
});
