import { cutText } from "../../lib/cut-text";
import { measureJson } from "../../lib/json/measure";
import type { Completion } from "../../providers/chat-call";

const MAX_LENGTH = 256 * 1024;

/**
 * Returns the JSON that is stored of a completion for an account that keeps replies: its choices. Choices of more than 256 Ki
 * characters are reduced to an excerpt, marked `truncated`.
 */
export function serializeReply({ choices }: Completion): string {
  const json = measureJson(choices, MAX_LENGTH) <= MAX_LENGTH ? JSON.stringify(choices) : null;
  if (json !== null && json.length <= MAX_LENGTH) return json;
  const [first] = choices as { message?: { content?: unknown } }[];
  const content = first?.message?.content;
  const excerpt = typeof content === "string" ? cutText(content, MAX_LENGTH / 2) : null;
  return JSON.stringify([{ message: { role: "assistant", content: excerpt }, truncated: true }]);
}
