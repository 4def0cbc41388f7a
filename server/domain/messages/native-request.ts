import { isObject } from "../../lib/is-object";
import { type Content, readTextFile } from "../attachments";
import type { NativeRequest } from "../dialects";
import { isAnthropicSignature } from "./thinking";
import type { Json } from "./translation";
import type { MessagesBody } from "./translate-request";

/** Returns a request for routes that speak Messages: the client's own object, without thinking that Anthropic has not signed. */
export function toNativeRequest(
  body: MessagesBody,
  { sent, headers, untranslated }: Pick<NativeRequest, "sent" | "headers" | "untranslated">,
): NativeRequest {
  const messages = withoutForeignThinking(body.messages);
  const isChanged = messages !== body.messages;
  const own = isChanged ? { ...body, messages } : body;
  return {
    body: own,
    sent: isChanged ? null : sent,
    headers,
    untranslated,
    // Servers of chats may bill tiers by other names, so they choose the tier themselves.
    pricedMembers: ["service_tier"],
    withFiles: (files) => ({
      ...own,
      messages: mapBlocks(messages, (block) =>
        withMember(block, "source", (source) => (isObject(source) ? withContent(source, files) : source)),
      ),
    }),
  };
}

/**
 * Returns messages without thinking that Anthropic has not signed, and without messages that contained only such thinking:
 * Anthropic rejects empty ones.
 */
const withoutForeignThinking = (messages: unknown): unknown =>
  mapList(messages, (message) => {
    const kept = withMember(message, "content", (content) =>
      mapContent(content, (block) =>
        block.type === "thinking" && !isAnthropicSignature(block.signature) ? undefined : block,
      ),
    );
    return kept !== message && isObject(kept) && Array.isArray(kept.content) && kept.content.length === 0
      ? undefined
      : kept;
  });

/** Returns the source of a picture or a document with its content, if that is a file of the account. */
function withContent(source: Json, files: ReadonlyMap<string, Content>): Json {
  const content = files.get(String(source.type === "file" ? source.file_id : source.url));
  if (!content) return source;
  const { bytes, mediaType } = content;
  const text = mediaType?.startsWith("image/") ? null : readTextFile({ ...content, name: null });
  if (text !== null) return { type: "text", media_type: "text/plain", data: text };
  return { type: "base64", media_type: mediaType, data: bytes.toString("base64") };
}

type Replace = (block: Json) => unknown;

/** Replaces the blocks of messages, including those in tool results; returns the same list if none changes. */
const mapBlocks = (messages: unknown, replace: Replace): unknown =>
  mapList(messages, (message) => withMember(message, "content", (content) => mapContent(content, replace)));

const mapContent = (content: unknown, replace: Replace): unknown =>
  mapList(content, (block) => {
    const replaced = isObject(block) ? replace(block) : block;
    return withMember(replaced, "content", (inner) => mapContent(inner, replace));
  });

/** Replaces the items of a list, and removes those replaced with undefined; returns the same list if none changes. */
function mapList(list: unknown, replace: (item: unknown) => unknown): unknown {
  if (!Array.isArray(list)) return list;
  const replaced = list.map(replace);
  return replaced.every((item, index) => item === list[index]) ? list : replaced.filter((item) => item !== undefined);
}

function withMember(owner: unknown, name: string, replace: (value: unknown) => unknown): unknown {
  if (!isObject(owner) || !Object.hasOwn(owner, name)) return owner;
  const value = replace(owner[name]);
  return value === owner[name] ? owner : { ...owner, [name]: value };
}
