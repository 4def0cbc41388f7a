import Anthropic from "@anthropic-ai/sdk";
import type { Customer } from "../api/customer";
import type { ChatHost } from "../chat/host";

/** Returns the official client of a customer, which sends each request once. */
export const clientOf = ({ url }: Pick<ChatHost, "url">, { key }: Customer): Anthropic =>
  new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });

export interface SentEvent {
  type: string;
  index?: number;
  delta?: Record<string, unknown>;
  content_block?: Record<string, unknown>;
  usage?: Record<string, unknown>;
  message?: Record<string, unknown>;
  error?: Record<string, unknown>;
}

/** Returns the events of a stream, each of which must be named like its type. */
export const parseEvents = (text: string): SentEvent[] =>
  [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name, json]) => {
    const event = JSON.parse(json!) as SentEvent;
    if (event.type !== name) throw new Error(`event ${name} has the type ${event.type}`);
    return event;
  });

/** Throws unless blocks follow each other in order, each with deltas of its own kind only. */
export function checkOrder(events: SentEvent[]): void {
  const kinds: Record<string, string[]> = {
    text: ["text_delta"],
    thinking: ["thinking_delta", "signature_delta"],
    tool_use: ["input_json_delta"],
  };
  let next = 0;
  let open: string | null = null;
  for (const { type, index, delta, content_block } of events) {
    if (!type.startsWith("content_block_")) continue;
    if (type === "content_block_start") {
      if (open !== null || index !== next) throw new Error(`block ${index} starts out of order`);
      open = String(content_block!.type);
    } else if (open === null || index !== next) throw new Error(`${type} of block ${index}, which is not open`);
    if (type === "content_block_delta" && !kinds[open]!.includes(String(delta!.type)))
      throw new Error(`${String(delta!.type)} in a block of ${open}`);
    if (type !== "content_block_stop") continue;
    open = null;
    next += 1;
  }
  if (open !== null) throw new Error("the last block does not end");
}
