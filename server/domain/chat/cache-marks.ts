import { mapObjects } from "../../lib/is-object";

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
