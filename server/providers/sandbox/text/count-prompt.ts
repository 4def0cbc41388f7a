import { type Chat, getImages, type Message, getText } from "./read-chat";
import { countTokens } from "./tokens";

/** As OpenAI counts: around each message, for a name, and for the beginning of the answer. */
const AROUND_MESSAGE = 3;
const NAME = 1;
const ANSWER = 3;
/** A picture of 1024 × 1024 at high detail. */
const IMAGE = 765;

/** Tokens of a chat's prompt, or null when they are more than `most`. */
export async function countPrompt({ messages, tools, response_format }: Chat, most: number): Promise<number | null> {
  let tokens = ANSWER;
  const around = [...tools, ...(response_format ? [response_format] : [])].map((value) => JSON.stringify(value));
  for (const text of [...around, ...messages.flatMap(textsOf)]) {
    const counted = await countTokens(text, most);
    if (counted === null || (tokens += counted) > most) return null;
  }
  for (const message of messages) {
    tokens += AROUND_MESSAGE + (message.name === undefined ? 0 : NAME) + IMAGE * getImages(message).length;
  }
  return tokens > most ? null : tokens;
}

const textsOf = (message: Message): string[] =>
  [
    message.role,
    getText(message),
    message.name ?? "",
    message.tool_calls ? JSON.stringify(message.tool_calls) : "",
  ].filter(Boolean);
