import { mapObjects } from "../../lib/is-object";
import type { NativeRequest } from "../dialects";
import { readServiceTier } from "../tokens";
import type { ChatRequest } from "./request";

type Native = Pick<NativeRequest, "pricedMembers"> | null;

/** Returns a chat without what only routes may charge for that get the client's own request. */
export function withoutPricedMembers<T extends Record<string, unknown>>(input: T, native: Native): T {
  const { pricedMembers = [] } = native ?? {};
  if (!pricedMembers.some((name) => Object.hasOwn(input, name))) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !pricedMembers.includes(name))) as T;
}

/** Returns the service tier that the route which was called last was asked for; null for the default one. */
export const findRequestedTier = ({ input, dialect, wasSentNative }: ChatRequest): string | null =>
  readServiceTier(wasSentNative ? input : withoutPricedMembers(input, dialect.native));

/** Returns a chat without the marks by which its client has asked for its prompt to be cached. */
export function withoutCacheMarks(input: Record<string, unknown>): Record<string, unknown> {
  const { messages, tools, ...others } = withoutMark(input);
  return {
    ...others,
    messages: mapObjects(messages, (message) => {
      const { content, ...rest } = withoutMark(message);
      return content === undefined ? rest : { ...rest, content: mapObjects(content, withoutMark) };
    }),
    ...(tools !== undefined && { tools: mapObjects(tools, withoutMark) }),
  };
}

function withoutMark(owner: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(owner, "cache_control")) return owner;
  const rest = { ...owner };
  delete rest.cache_control;
  return rest;
}
