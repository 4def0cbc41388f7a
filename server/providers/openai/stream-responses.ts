import { asObject, isObject } from "../../lib/is-object";
import { type ChatChunk, completionToChunk, NATIVE } from "../chat-call";
import { describeUsage, findFinishReason, readCall, readResponse } from "./responses";

type Json = Record<string, unknown>;

/**
 * The events that begin and end a response repeat its tools, and the last one its whole output. A request may have 50,000 JSON
 * values, to which the provider adds members with their defaults.
 */
export const RESPONSE_BOUNDS = {
  maxEventBytes: 4 * 1024 * 1024,
  maxBytes: 64 * 1024 * 1024,
  maxEvents: 500_000,
  maxValues: 60_000,
};

/** Members of a chat's delta by the events that add to them. */
const TEXTS: Record<string, string> = {
  "response.output_text.delta": "content",
  "response.refusal.delta": "refusal",
  "response.reasoning_text.delta": "reasoning_content",
  "response.reasoning_summary_text.delta": "reasoning_content",
};
const CALL_TEXTS = ["response.function_call_arguments.delta", "response.custom_tool_call_input.delta"];
const ENDINGS = ["response.completed", "response.incomplete"];

/** Returns an event of a streamed response as a chunk, with the event in NATIVE; null for anything else. */
export function readResponseEvent(event: unknown): ChatChunk | null {
  if (!isObject(event) || typeof event.type !== "string") return null;
  const native = { [NATIVE]: { type: event.type, data: event } };
  if (ENDINGS.includes(event.type)) {
    const end = asObject(event.response);
    const finish_reason = findFinishReason(end);
    return finish_reason === null
      ? null
      : { ...native, ...describeUsage(end), choices: [{ index: 0, delta: {}, finish_reason }] };
  }
  const delta = readDelta(event);
  return { ...native, choices: delta ? [{ index: 0, delta, finish_reason: null }] : [] };
}

function readDelta(event: Json): Json | null {
  const { type, delta, item, output_index: index } = event;
  const name = String(type);
  if (Object.hasOwn(TEXTS, name)) return typeof delta === "string" ? { [TEXTS[name]!]: delta } : null;
  if (CALL_TEXTS.includes(name)) return { tool_calls: [{ index, function: { arguments: delta } }] };
  const call = name === "response.output_item.added" && isObject(item) ? readCall(item) : null;
  return call && { tool_calls: [{ index, ...call }] };
}

/** Returns the error of an event that reports that a response failed; null for any other event. */
export function readResponseFailure(event: unknown): unknown {
  if (!isObject(event)) return null;
  if (event.type === "error") return event.error ?? { message: event.message, code: event.code };
  if (event.type !== "response.failed" || !isObject(event.response)) return null;
  return event.response.error ?? { message: "" };
}

/** Returns a whole response, from a server that ignores `stream`, as the end of a stream; null for anything else. */
export function readWholeResponse(value: unknown): ChatChunk | null {
  const completion = readResponse(value);
  if (!completion) return null;
  const type = completion.choices[0]!.finish_reason === "length" ? "response.incomplete" : "response.completed";
  return { ...completionToChunk(completion), [NATIVE]: { type, data: { type, response: completion[NATIVE] } } };
}
