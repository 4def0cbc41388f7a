import { isObject } from "../../lib/is-object";
import { type ChatChunk, readStopSequence } from "../chat-call";
import { createCallIndexer } from "./index-calls";

type Choice = ChatChunk["choices"][number];

/**
 * Returns the reader of one streamed completion: it returns an event as a chunk that OpenAI clients can read, with the indexes of
 * calls that its server has left out; null for anything else. Servers send events without choices as well, such as usage and the
 * results of filters.
 */
export function createChunkReader(): (event: unknown) => ChatChunk | null {
  const indexers = new Map<number, ReturnType<typeof createCallIndexer>>();
  const withIndexes = (choice: Choice): Choice | null => {
    const { tool_calls: pieces } = choice.delta;
    if (!Array.isArray(pieces)) return choice;
    const indexer = indexers.get(choice.index) ?? createCallIndexer();
    indexers.set(choice.index, indexer);
    const tool_calls = indexer(pieces);
    return tool_calls && { ...choice, delta: { ...choice.delta, tool_calls } };
  };
  return (event) => {
    if (!isObject(event)) return null;
    const { choices = [] } = event;
    if (!Array.isArray(choices)) return null;
    const read = choices.map((sent, position) => {
      const choice = readChoice(sent, position);
      return choice && withIndexes(choice);
    });
    return read.every((choice) => choice !== null) ? { ...event, choices: read } : null;
  };
}

function readChoice(choice: unknown, position: number): Choice | null {
  if (!isObject(choice)) return null;
  const { delta = {}, index, finish_reason } = choice;
  if (delta !== null && !isObject(delta)) return null;
  return {
    ...choice,
    ...readStopSequence(choice),
    index: Number.isSafeInteger(index) ? Number(index) : position,
    delta: delta ?? {},
    finish_reason: typeof finish_reason === "string" ? finish_reason : null,
  };
}
