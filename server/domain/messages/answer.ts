import { asObject, isObject } from "../../lib/is-object";
import { type Completion, NATIVE, readThoughtSignature, STOP_SEQUENCE } from "../../providers/chat-call";
import { type AnsweredChat, type BilledUsage, toClientCallId } from "../dialects";
import { OWN_SIGNATURE } from "./thinking";
import type { ToolNames } from "./tool-names";
import type { Json } from "./translation";
import { addCost, toMessagesUsage } from "./usage";

/** Returns the id of a message, from which the id of its generation can be read. */
export const toMessageId = ({ id }: Pick<AnsweredChat, "id">): string => `msg_${id.replaceAll("-", "")}`;

/** Returns a message without content, as a stream starts with it. */
export const emptyMessage = (chat: AnsweredChat): Json => ({
  id: toMessageId(chat),
  type: "message",
  role: "assistant",
  model: chat.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
});

const stopReasons = new Map([
  ["length", "max_tokens"],
  ["content_filter", "refusal"],
]);

/**
 * Returns the members that say why a message ended: at a stop sequence, if the server has named one. Some servers end tool
 * calls with `stop`.
 */
export function describeStop(finishReason: string, hasTools: boolean, stopSequence: string | null = null): Json {
  const stop_sequence = finishReason === "stop" && !hasTools ? stopSequence : null;
  const ending = hasTools ? "tool_use" : stop_sequence === null ? "end_turn" : "stop_sequence";
  const stop_reason = stopReasons.get(finishReason) ?? ending;
  const isRefusal = stop_reason === "refusal";
  return {
    stop_reason,
    stop_sequence,
    stop_details: isRefusal ? { type: "refusal", category: null, explanation: null } : null,
  };
}

/** Names from the client's request that its translated answer uses. */
export interface ClientNames {
  toolNames: ToolNames;
  /** The request's stop sequences. */
  stops: unknown[];
}

/** Returns the request's stop sequence at which a choice ended; null if it names none of them. */
export function stopSequenceOf(choice: { [STOP_SEQUENCE]?: string } | undefined, stops: unknown[]): string | null {
  const stop = choice?.[STOP_SEQUENCE];
  return stop !== undefined && stops.includes(stop) ? stop : null;
}

/** Returns the message of a chat that has ended. */
export function buildMessage(
  completion: Completion,
  chat: AnsweredChat,
  usage: BilledUsage,
  { toolNames, stops }: ClientNames,
): Json {
  const native = completion[NATIVE];
  if (native) return { ...native, id: toMessageId(chat), model: chat.model, usage: addCost(native.usage, usage) };
  const [choice] = completion.choices;
  const content = choice ? listBlocks(choice.message, chat, toolNames) : [];
  const hasTools = content.some(({ type }) => type === "tool_use");
  return {
    ...emptyMessage(chat),
    content,
    ...describeStop(choice?.finish_reason ?? "stop", hasTools, stopSequenceOf(choice, stops)),
    usage: toMessagesUsage(usage),
  };
}

/** Returns the reasoning of a message or a delta, which servers send under one of two names. */
export const reasoningOf = ({ reasoning_content, reasoning }: Json): string =>
  textOf(reasoning_content) || textOf(reasoning);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function listBlocks(message: Json, chat: AnsweredChat, toolNames: ToolNames): Json[] {
  const blocks: Json[] = [];
  const thinking = reasoningOf(message);
  if (thinking !== "") blocks.push({ type: "thinking", thinking, signature: OWN_SIGNATURE });
  for (const text of [textOf(message.content), textOf(message.refusal)])
    if (text !== "") blocks.push({ type: "text", text });
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  for (const [index, call] of calls.entries()) {
    const { name, arguments: text } = asObject(call.function);
    blocks.push({
      type: "tool_use",
      id: toToolId(call, chat, index),
      name: toolNames.restore(textOf(name)),
      input: parseInput(textOf(text)),
    });
  }
  return blocks;
}

/** Returns the id of a tool's call; some servers send none. */
export const toToolId = (call: Json, chat: Pick<AnsweredChat, "id">, index: number): string =>
  toClientCallId(textOf(call.id) || `call_${chat.id.replaceAll("-", "")}_${index}`, readThoughtSignature(call));

/** Returns the input of a tool; the text itself if it is not JSON, so that nothing is lost. */
export function parseInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
