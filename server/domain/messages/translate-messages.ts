import { invalidInput } from "../../errors";
import { parseClientCallId } from "../dialects";
import { isAnthropicSignature, isOwnSignature } from "./thinking";
import { listBlocks, type PlacedPart, rejectBlock, toContent, translateBlock } from "./translate-parts";
import {
  dropMember,
  expectArray,
  expectObject,
  expectString,
  type Json,
  markOf,
  type Translation,
} from "./translation";

/** The messages of a chat as they are translated. */
interface Chat {
  messages: Json[];
  translation: Translation;
}

/** Returns the messages of a chat for the `system` and `messages` of a request. Throws 400 with the path. */
export function translateMessages(system: unknown, messages: unknown, translation: Translation): Json[] {
  const chat: Chat = { messages: [], translation };
  if (system !== undefined && system !== null) addSystem(chat, system, "system");
  for (const [index, sent] of expectArray(messages, "messages").entries()) {
    const place = `messages.${index}`;
    const { role, content, ...others } = expectObject(sent, place);
    // Members such as `output_config`, which hold for one turn.
    for (const [name, value] of Object.entries(others)) dropMember(translation, `messages.${name}`, value);
    const contentPlace = `${place}.content`;
    if (role === "user") addUser(chat, content, contentPlace);
    else if (role === "assistant") addAssistant(chat, content, contentPlace);
    else if (role === "system") addSystem(chat, content, contentPlace);
    else if (translation.isEstimate) addUser(chat, content, contentPlace);
    else throw invalidInput(`${place}.role`, "must be user, assistant or system");
  }
  return chat.messages;
}

/** Adds a message, and remembers where its parts come from. */
function addMessage({ messages, translation }: Chat, message: Json, place: string, parts: PlacedPart[] = []): void {
  const path = `messages.${messages.length}`;
  translation.places.set(path, place);
  if (typeof message.content !== "string")
    for (const [index, part] of parts.entries()) translation.places.set(`${path}.content.${index}`, part.place);
  messages.push(message);
}

function addSystem(chat: Chat, content: unknown, place: string): void {
  const parts = listBlocks(content, place).map(({ block, place: at }) => {
    if (block.type !== "text") return rejectBlock(block, at, chat.translation);
    return translateBlock(block, at, chat.translation)[0]!;
  });
  addMessage(chat, { role: "system", content: toContent(parts) }, place, parts);
}

/** Adds what a user has sent: results of tools come first, because a chat expects them right after their calls. */
function addUser(chat: Chat, content: unknown, place: string): void {
  const { translation } = chat;
  const parts: PlacedPart[] = [];
  let hasResults = false;
  for (const { block, place: at } of listBlocks(content, place)) {
    if (block.type !== "tool_result") {
      parts.push(...translateBlock(block, at, translation));
      continue;
    }
    hasResults = true;
    parts.push(...addToolResult(chat, block, at));
  }
  if (parts.length > 0 || !hasResults) addMessage(chat, { role: "user", content: toContent(parts) }, place, parts);
}

/** Adds the message of a tool's result, and returns its parts that are not text. */
function addToolResult(chat: Chat, block: Json, place: string): PlacedPart[] {
  const { translation } = chat;
  const id = expectString(block.tool_use_id, `${place}.tool_use_id`);
  const blocks = isGiven(block.content) ? listBlocks(block.content, `${place}.content`) : [];
  const parts = blocks.flatMap((inner) => translateBlock(inner.block, inner.place, translation));
  const texts = parts.flatMap(({ part }) => (part.type === "text" ? [part.text as string] : []));
  const text = `${block.is_error === true ? "Error: " : ""}${texts.join("\n")}`;
  const message = {
    role: "tool",
    tool_call_id: parseClientCallId(id).id,
    content: text,
    ...markOf(block, translation),
  };
  addMessage(chat, message, place);
  return parts.filter(({ part }) => part.type !== "text");
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Blocks about the work of Anthropic's own servers for an assistant. Calls and their results both match, so they are dropped
 * together.
 */
const SERVER_TOOL = /^(?:server_tool_use|mcp_tool_use|\w+_tool_result)$/;

function addAssistant(chat: Chat, content: unknown, place: string): void {
  const { translation } = chat;
  const parts: PlacedPart[] = [];
  const calls: Json[] = [];
  let thinking = "";
  // Blocks that become members of the message or are dropped. The message gets their cache marks.
  const merged: Json[] = [];
  for (const { block, place: at } of listBlocks(content, place)) {
    if (block.type === "text") parts.push(...translateBlock(block, at, translation));
    else if (block.type === "tool_use") {
      calls.push(toToolCall(block, at, translation));
      merged.push(block);
    } else if (block.type === "thinking" && keepsThinking(block, translation))
      thinking += expectString(block.thinking, `${at}.thinking`);
    else if (isDroppable(block, translation)) {
      dropBlock(block, translation);
      merged.push(block);
    } else parts.push(rejectBlock(block, at, translation));
  }
  const text = toContent(parts, "");
  const message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(thinking !== "" && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...markOf({ content: merged }, translation),
  };
  addMessage(chat, message, place, parts);
}

/** Returns whether this thinking came from a chat and the model can read it. */
const keepsThinking = ({ signature }: Json, { model }: Translation): boolean =>
  isOwnSignature(signature) && model.supports.reasoning;

const isDroppable = ({ type }: Json, { isEstimate }: Translation): boolean =>
  !isEstimate &&
  (type === "thinking" || type === "redacted_thinking" || (typeof type === "string" && SERVER_TOOL.test(type)));

function dropBlock(block: Json, translation: Translation): void {
  // No route gets thinking that Anthropic has not signed.
  if (block.type === "thinking" && !isAnthropicSignature(block.signature)) translation.dropped.add("thinking");
  else dropMember(translation, String(block.type), block);
}

const toToolCall = (block: Json, place: string, { toolNames }: Translation): Json => ({
  ...parseClientCallId(expectString(block.id, `${place}.id`)),
  type: "function",
  function: {
    name: toolNames.shorten(expectString(block.name, `${place}.name`)),
    arguments: JSON.stringify(block.input ?? {}),
  },
});
