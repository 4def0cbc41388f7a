import type { ChatChunk, Completion } from "./chat-call";

/** Returns a whole completion as one chunk of a stream. */
export const completionToChunk = ({ choices, ...rest }: Completion): ChatChunk => ({
  ...rest,
  choices: choices.map(({ message, ...choice }) => ({ ...choice, delta: toDelta(message) })),
});

// Clients put the pieces of tool calls together by their index, which a message does not have.
const toDelta = ({ tool_calls, ...message }: Record<string, unknown>): Record<string, unknown> =>
  Array.isArray(tool_calls)
    ? { ...message, tool_calls: tool_calls.map((call: object, index) => ({ index, ...call })) }
    : message;
