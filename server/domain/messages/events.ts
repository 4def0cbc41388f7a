import { isObject } from "../../lib/is-object";
import { writeEvent } from "../dialects";
import type { Json } from "./translation";

/** An event of a stream of Messages. */
export interface MessagesEvent extends Json {
  type: string;
}

/** Returns events as they are sent at the end of a stream. */
export const formatEvents = (events: MessagesEvent[]): string =>
  events.map((event) => writeEvent(event, event.type)).join("");

/** Returns the events that send a message which has ended. */
function listEvents({ content, stop_reason, stop_sequence, stop_details, ...message }: Json): MessagesEvent[] {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return [
    {
      type: "message_start",
      message: { ...message, content: [], stop_reason: null, stop_sequence: null, stop_details: null },
    },
    ...blocks.flatMap((block, index) => listBlockEvents(block, index)),
    { type: "message_delta", delta: { stop_reason, stop_sequence, stop_details }, usage: message.usage },
    { type: "message_stop" },
  ];
}

/** Returns the stream of a message which has ended. */
export const formatWholeMessage = (message: Json): string => formatEvents(listEvents(message));

function listBlockEvents(block: Json, index: number): MessagesEvent[] {
  const { start, deltas } = splitBlock(block);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta): MessagesEvent => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** Returns a block as it starts, and the deltas that complete it. */
function splitBlock(block: Json): { start: Json; deltas: Json[] } {
  if (block.type === "text")
    return { start: { ...block, text: "" }, deltas: [{ type: "text_delta", text: block.text }] };
  if (block.type === "thinking") {
    const { thinking, signature } = block;
    return {
      start: { ...block, thinking: "", signature: "" },
      deltas: [
        { type: "thinking_delta", thinking },
        { type: "signature_delta", signature },
      ],
    };
  }
  if (block.type !== "tool_use") return { start: block, deltas: [] };
  const partial_json = typeof block.input === "string" ? block.input : JSON.stringify(block.input);
  return { start: { ...block, input: {} }, deltas: [{ type: "input_json_delta", partial_json }] };
}
