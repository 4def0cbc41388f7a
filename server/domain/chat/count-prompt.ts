import { estimateTokensOf } from "../../lib/estimate-tokens";
import { hasSpokenAnswer } from "../attachments";
import type { TokenPrice } from "../tokens";
import type { ChatRequest } from "./request";

/** The tokens of a message's separators, and of the start of the answer. */
export const MESSAGE_TOKENS = 3;

type Json = Record<string, unknown>;

/**
 * Estimates the tokens of a chat's prompt. A prompt that is not only text is counted as the full hold, because only the
 * provider knows the tokens of its images and files.
 */
export async function countPrompt(request: ChatRequest, price: TokenPrice): Promise<number> {
  const { input, wasSentNative } = request;
  if (!isText(input.messages)) return price.most_input_tokens;
  return Math.min(await countTexts(wasSentNative ? withUntranslated(request) : input), price.most_input_tokens);
}

/** Returns the input of a chat with what only a route gets that takes the client's own request. */
export function withUntranslated({ input, dialect }: Pick<ChatRequest, "input" | "dialect">): ChatRequest["input"] {
  const untranslated = dialect.native?.untranslated ?? [];
  if (untranslated.length === 0) return input;
  return { ...input, messages: [...input.messages, { role: "user", content: null, untranslated }] };
}

/** Estimates the tokens of the texts of a chat's prompt. */
export const countTexts = async (input: ChatRequest["input"]): Promise<number> =>
  MESSAGE_TOKENS * (input.messages.length + 1) + (await estimateTokensOf(listPromptTexts(input)));

/** Returns whether messages consist of text, whose tokens the hub can estimate. */
export const isText = (messages: unknown[]): boolean =>
  messages.every((message) => {
    const { content } = message as Json;
    if (hasSpokenAnswer(message)) return false;
    return !Array.isArray(content) || content.every((part) => (part as Json | null)?.type === "text");
  });

function* listPromptTexts({ messages, tools, functions, response_format }: Json): Generator<string> {
  for (const options of [tools, functions, response_format]) if (options) yield JSON.stringify(options);
  for (const message of messages as Json[]) {
    const { content, role, ...rest } = message;
    yield String(role);
    if (typeof content === "string") yield content;
    else if (Array.isArray(content))
      for (const { text } of content as Json[]) yield typeof text === "string" ? text : "";
    if (Object.keys(rest).length > 0) yield JSON.stringify(rest);
  }
}
