import { isObject } from "../../lib/is-object";
import { type Completion, NATIVE } from "../chat-call";

type Json = Record<string, unknown>;

/** Members of a chat's delta that the text of a response stands in, by the type of its part. */
const TEXTS: Record<string, string> = {
  output_text: "content",
  refusal: "refusal",
  reasoning_text: "reasoning_content",
  summary_text: "reasoning_content",
};

/** Returns a whole response as a completion, with the response in NATIVE; null for anything else, and for one that failed. */
export function readResponse(value: unknown): Completion | null {
  if (!isObject(value) || !Array.isArray(value.output)) return null;
  const finish_reason = findFinishReason(value);
  if (finish_reason === null) return null;
  const message: Json = { role: "assistant", content: null };
  const calls: Json[] = [];
  for (const item of value.output.filter(isObject)) {
    const call = readCall(item);
    if (call) calls.push(call);
    for (const part of [item.content, item.summary].flat().filter(isObject)) addText(message, part);
  }
  if (calls.length > 0) message.tool_calls = calls;
  return {
    choices: [
      { index: 0, message, finish_reason: calls.length > 0 && finish_reason === "stop" ? "tool_calls" : finish_reason },
    ],
    ...describeUsage(value),
    [NATIVE]: value,
  };
}

function addText(message: Json, part: Json): void {
  const type = String(part.type);
  const name = Object.hasOwn(TEXTS, type) ? TEXTS[type]! : null;
  const text = part.text ?? part.refusal;
  if (name !== null && typeof text === "string") message[name] = `${(message[name] as string | null) ?? ""}${text}`;
}

/** Returns the call of a chat for an item that calls a tool of the client; null for any other item. */
export function readCall({ type, call_id, name, arguments: text, input }: Json): Json | null {
  if (type !== "function_call" && type !== "custom_tool_call") return null;
  return { id: call_id, type: "function", function: { name, arguments: text ?? input ?? "" } };
}

/** Returns how a response ended in the words of a chat; null if it failed. */
export function findFinishReason({ status, incomplete_details: details }: Json): string | null {
  if (status === "incomplete")
    return isObject(details) && details.reason === "content_filter" ? "content_filter" : "length";
  return status === "completed" ? "stop" : null;
}

/** Returns the usage and the tier of a response as a chat has them. */
export function describeUsage({ usage, service_tier }: Json): Json {
  if (!isObject(usage)) return { service_tier };
  const { input_tokens, input_tokens_details, output_tokens, output_tokens_details, total_tokens } = usage;
  return {
    service_tier,
    usage: {
      prompt_tokens: input_tokens,
      prompt_tokens_details: input_tokens_details,
      completion_tokens: output_tokens,
      completion_tokens_details: output_tokens_details,
      total_tokens,
    },
  };
}
