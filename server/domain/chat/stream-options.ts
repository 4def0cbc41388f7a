import { invalidInput } from "../../errors";
import type { ChatBody } from "./request";

export interface StreamOptions {
  /** The client's own options, to which the hub adds that it wants usage. */
  sent: Record<string, unknown>;
  includeUsage: boolean;
}

/** Separates the options of a stream from the input of its chat. Throws 400. */
export function readStreamOptions(body: ChatBody): { input: ChatBody; options: StreamOptions } {
  const input: ChatBody = { ...body };
  delete input.stream;
  delete input.stream_options;
  const sent = body.stream_options ?? {};
  if (typeof sent !== "object" || Array.isArray(sent)) throw invalidInput("stream_options", "must be an object");
  const { include_usage: includeUsage = false } = sent as Record<string, unknown>;
  if (typeof includeUsage !== "boolean") throw invalidInput("stream_options.include_usage", "must be true or false");
  return { input, options: { sent: sent as Record<string, unknown>, includeUsage } };
}
