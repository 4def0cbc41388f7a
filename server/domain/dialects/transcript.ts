import { cutText } from "../../lib/cut-text";
import { readThoughtSignature, toExtraContent } from "../../providers/chat-call";
import type { Transcript } from "./dialect";

/** A longer text is cut, because it waits in memory until the stream ends. */
const MAX_LENGTH = 256 * 1024;

interface ToolCall {
  id: string;
  type: string;
  function: { name: string; arguments: string };
  extra_content?: object;
}

const TEXTS = ["content", "refusal", "reasoning", "reasoning_content"];
const MAX_TOOL_CALLS = 128;

/** Returns the transcript of OpenAI's chunks: one message. */
export function createTranscript(): Transcript {
  const texts = new Map<string, string>();
  const calls = new Map<number, ToolCall>();
  let members: Record<string, unknown> = {};
  let room = MAX_LENGTH;
  let isCut = false;
  const fit = (text: unknown): string => {
    if (typeof text !== "string") return "";
    isCut ||= text.length > room;
    const part = cutText(text, room);
    // What follows a cut text must not fill the place of a pair that did not fit.
    room = isCut ? 0 : room - part.length;
    return part;
  };
  // A part of a signature would be worse than none.
  const addSignature = (call: ToolCall, signature: string | null) => {
    if (signature !== null && signature.length <= room) call.extra_content ??= toExtraContent(fit(signature));
  };
  const addToolCall = (piece: unknown) => {
    const { index = 0, id, type, function: called } = (piece ?? {}) as Record<string, unknown>;
    const key = Number.isSafeInteger(index) ? Number(index) : 0;
    const call: ToolCall = calls.get(key) ?? { id: "", type: "function", function: { name: "", arguments: "" } };
    if (!calls.has(key) && calls.size === MAX_TOOL_CALLS) return;
    const { name, arguments: text } = (called ?? {}) as Record<string, unknown>;
    call.id ||= fit(id);
    if (typeof type === "string" && type !== "") call.type = fit(type);
    call.function.name += fit(name);
    call.function.arguments += fit(text);
    addSignature(call, readThoughtSignature(piece));
    calls.set(key, call);
  };
  return {
    add({ choices, ...rest }) {
      delete rest.usage;
      // Other members, such as `system_fingerprint`, are the same in every chunk.
      if (Object.keys(members).length === 0 && choices.length > 0) members = rest;
      const delta = choices.find(({ index }) => index === 0)?.delta ?? {};
      for (const name of TEXTS) {
        if (typeof delta[name] === "string") texts.set(name, (texts.get(name) ?? "") + fit(delta[name]));
      }
      if (Array.isArray(delta.tool_calls)) delta.tool_calls.forEach(addToolCall);
    },
    toCompletion(finishReason) {
      const toolCalls = [...calls].sort(([a], [b]) => a - b).map(([, call]) => call);
      const text = texts.get("content");
      const message = {
        ...Object.fromEntries(texts),
        role: "assistant",
        content: toolCalls.length > 0 && !text ? null : (text ?? ""),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      };
      return { ...members, choices: [{ index: 0, message, finish_reason: isCut ? "length" : finishReason }] };
    },
  };
}
