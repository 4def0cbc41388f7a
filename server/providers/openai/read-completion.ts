import type { Completion } from "../provider";

type Json = Record<string, unknown>;

/** An answer as OpenAI's clients expect it, or null. The reasons why a choice ended are completed where they are missing. */
export function readCompletion(answer: unknown): Completion | null {
  if (!isObject(answer) || !Array.isArray(answer.choices) || answer.choices.length === 0) return null;
  const choices = answer.choices.map(readChoice);
  return choices.every((choice) => choice !== null) ? { ...answer, choices } : null;
}

function readChoice(choice: unknown, index: number): Completion["choices"][number] | null {
  if (!isObject(choice) || !isObject(choice.message)) return null;
  const { finish_reason, message } = choice;
  const content = readContent(message.content ?? null);
  if (content === undefined) return null;
  const spoken = { ...message, role: "assistant", content };
  return {
    ...choice,
    index,
    message: spoken,
    finish_reason: typeof finish_reason === "string" ? finish_reason : "stop",
  };
}

/** Returns the text of a message, also of one in parts; undefined for what no client could read. */
function readContent(content: unknown): string | null | undefined {
  if (content === null || typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : undefined));
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
