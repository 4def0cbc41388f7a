import { isObject } from "../../lib/is-object";
import { type Completion, readStopSequence } from "../chat-call";

/** Returns a completion that OpenAI clients can read, with missing finish reasons added; null for anything else. */
export function readCompletion(response: unknown): Completion | null {
  if (!isObject(response) || !Array.isArray(response.choices) || response.choices.length === 0) return null;
  const choices = response.choices.map(readChoice);
  return choices.every((choice) => choice !== null) ? { ...response, choices } : null;
}

function readChoice(choice: unknown, index: number): Completion["choices"][number] | null {
  if (!isObject(choice) || !isObject(choice.message)) return null;
  const { finish_reason, message } = choice;
  const content = readContent(message.content ?? null);
  if (content === undefined) return null;
  const normalized = { ...message, role: "assistant", content };
  return {
    ...choice,
    ...readStopSequence(choice),
    index,
    message: normalized,
    finish_reason: typeof finish_reason === "string" ? finish_reason : "stop",
  };
}

/** Returns the text of a message, joined if it is in parts; undefined for content that clients cannot read. */
function readContent(content: unknown): string | null | undefined {
  if (content === null || typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : undefined));
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}
