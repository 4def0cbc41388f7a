import { isObject } from "../../lib/is-object";
import type { ChatChunk } from "../chat-call";

/**
 * Returns an event of a streamed completion as a chunk that OpenAI clients can read; null for anything else. Servers send
 * events without choices as well, such as usage and the results of filters.
 */
export function readChunk(event: unknown): ChatChunk | null {
  if (!isObject(event)) return null;
  const { choices = [] } = event;
  if (!Array.isArray(choices)) return null;
  const read = choices.map(readChoice);
  return read.every((choice) => choice !== null) ? { ...event, choices: read } : null;
}

function readChoice(choice: unknown, position: number): ChatChunk["choices"][number] | null {
  if (!isObject(choice)) return null;
  const { delta = {}, index, finish_reason } = choice;
  if (delta !== null && !isObject(delta)) return null;
  return {
    ...choice,
    index: Number.isSafeInteger(index) ? Number(index) : position,
    delta: delta ?? {},
    finish_reason: typeof finish_reason === "string" ? finish_reason : null,
  };
}
