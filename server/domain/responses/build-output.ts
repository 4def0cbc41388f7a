import { callOf, endItem, type ItemOwner, type ItemSource } from "./build-item";
import type { Json } from "./json";
import { listTexts, MAX_CALLS, readCall } from "./read-message";

/** Returns the items of a whole message, as a stream of the message would make them. The last one gets the status. */
export function buildOutput(message: Json, status: string, owner: ItemOwner): Json[] {
  const parts: { source: ItemSource; text: string }[] = listTexts(message).map(({ kind, text }) => ({
    source: { kind },
    text,
  }));
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.slice(0, MAX_CALLS) : [];
  for (const [index, call] of calls.entries()) {
    const { text, ...called } = readCall(call);
    parts.push({ source: callOf(owner, called, index), text });
  }
  return parts.map(({ source, text }, index) =>
    endItem(owner, { source, index, text, status: index === parts.length - 1 ? status : "completed" }),
  );
}
