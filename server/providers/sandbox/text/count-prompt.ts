import { type Chat, getImages, type Message, getText } from "./read-chat";
import { countTokens } from "./tokens";

/** OpenAI's fixed costs per message, per name, and for the start of the completion. */
const MESSAGE_TOKENS = 3;
const NAME_TOKENS = 1;
const COMPLETION_START_TOKENS = 3;
/** An image of 1024 × 1024 pixels at high detail. */
const IMAGE_TOKENS = 765;

/** Returns the tokens of a chat's prompt; null when they exceed `maxTokens`. */
export async function countPrompt(
  { messages, tools, response_format }: Chat,
  maxTokens: number,
): Promise<number | null> {
  let tokens = COMPLETION_START_TOKENS;
  const extras = [...tools, ...(response_format ? [response_format] : [])].map((value) => JSON.stringify(value));
  for (const text of [...extras, ...messages.flatMap(getTexts)]) {
    const counted = await countTokens(text, maxTokens);
    if (counted === null || (tokens += counted) > maxTokens) return null;
  }
  for (const message of messages) {
    tokens +=
      MESSAGE_TOKENS + (message.name === undefined ? 0 : NAME_TOKENS) + IMAGE_TOKENS * getImages(message).length;
  }
  return tokens > maxTokens ? null : tokens;
}

const getTexts = (message: Message): string[] =>
  [
    message.role,
    getText(message),
    message.name ?? "",
    message.tool_calls ? JSON.stringify(message.tool_calls) : "",
  ].filter(Boolean);
