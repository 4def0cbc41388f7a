import type { Completion } from "../provider";

type Json = Record<string, unknown>;

/** An answer as OpenAI's clients expect it, or null. The reasons why a choice ended are completed where they are missing. */
export function readCompletion(text: string): Completion | null {
  const answer = parse(text);
  if (!isObject(answer) || !Array.isArray(answer.choices) || answer.choices.length === 0) return null;
  const choices = answer.choices.map(readChoice);
  return choices.every((choice) => choice !== null) ? { ...answer, choices } : null;
}

function readChoice(choice: unknown, index: number): Completion["choices"][number] | null {
  if (!isObject(choice) || !isObject(choice.message)) return null;
  const { finish_reason, message } = choice;
  const spoken = { ...message, role: "assistant", content: message.content ?? null };
  return {
    ...choice,
    index,
    message: spoken,
    finish_reason: typeof finish_reason === "string" ? finish_reason : "stop",
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
