import { invalidInput } from "../../errors";
import { type Json, readObject, readText } from "./json";
import {
  type Conversation,
  type ConversationOptions,
  createConversation,
  type TranslatedConversation,
} from "./conversation";
import type { NamedTool } from "./tool-names";
import { SEARCH } from "./tools";

/** An item with its place in the request. */
export interface PlacedItem {
  item: Json;
  path: string;
}

/** What items become in a chat. */
interface TranslatedItems extends TranslatedConversation {
  /** Types of items that the chat does not get. */
  dropped: Set<string>;
  /** Types of items that the hub cannot read, such as a provider's reasoning, which only a route with Responses gets. */
  unreadable: Set<string>;
}

/** Items of tools that run at OpenAI, and of its compaction, which a chat has no place for. */
export const HOSTED_ITEM =
  /^(?:web_search|file_search|computer|code_interpreter|image_generation|mcp|shell|local_shell|apply_patch|program)(?:_|$)/;

/** Translates items into the messages of a chat. Throws 400 with the path of an item that is not valid. */
export function translateItems(items: Iterable<PlacedItem>, options: ConversationOptions): TranslatedItems {
  const dropped = new Set<string>();
  const unreadable = new Set<string>();
  const openReasoning = (content: unknown) => {
    const text = options.openReasoning(content);
    if (text === null) unreadable.add("reasoning");
    return text;
  };
  const conversation = createConversation({ ...options, openReasoning });
  for (const { item, path } of items) {
    const type = item.type ?? "message";
    if (typeof type === "string" && Object.hasOwn(translators, type)) translators[type]!(conversation, item, path);
    else if (typeof type === "string" && HOSTED_ITEM.test(type)) dropped.add(type.slice(0, MAX_TYPE_LENGTH));
    else {
      options.onUnknown(item, path, "is not an item that the hub can translate for this model");
      conversation.addMessage("user", JSON.stringify(item), path);
    }
  }
  return { ...conversation.end(), dropped, unreadable };
}

/** Adds items to a conversation, by their types. */
const translators: Record<string, (conversation: Conversation, item: Json, path: string) => void> = {
  message: (conversation, { role, content }, path) =>
    conversation.addMessage(readRole(role, `${path}.role`), content, path),
  reasoning: (conversation, { encrypted_content }, path) => conversation.addReasoning(encrypted_content, path),
  function_call: (conversation, item, path) =>
    conversation.addCall(item, readTool(item, path, "function"), readString(item, "arguments", path), path),
  custom_tool_call: (conversation, item, path) => {
    const text = JSON.stringify({ input: readString(item, "input", path) });
    conversation.addCall(item, readTool(item, path, "custom"), text, path);
  },
  tool_search_call: (conversation, item, path) =>
    conversation.addCall(item, SEARCH, JSON.stringify(item.arguments ?? {}), path),
  function_call_output: (conversation, item, path) => conversation.addOutput(item, item.output, path),
  custom_tool_call_output: (conversation, item, path) => conversation.addOutput(item, item.output, path),
  tool_search_output: (conversation, item, path) =>
    conversation.addOutput(item, JSON.stringify(item.tools ?? []), path),
  additional_tools: () => undefined,
};

const MAX_TYPE_LENGTH = 64;
const ROLES: Record<string, string> = { user: "user", assistant: "assistant", system: "system", developer: "system" };

function readRole(role: unknown, path: string): string {
  if (typeof role !== "string" || !Object.hasOwn(ROLES, role))
    throw invalidInput(path, "must be user, assistant, system or developer");
  return ROLES[role]!;
}

function readTool(item: Json, path: string, kind: NamedTool["kind"]): NamedTool {
  const namespace = typeof item.namespace === "string" ? item.namespace : null;
  return { kind, name: readText(item.name, `${path}.name`), namespace };
}

function readString(item: Json, name: string, path: string): string {
  const value = item[name];
  if (typeof value !== "string") throw invalidInput(`${path}.${name}`, "must be a text");
  return value;
}

/** Yields the tools that items bring with them, with their places. */
export function* listItemTools(items: Iterable<PlacedItem>): Generator<{ tools: unknown; path: string }> {
  for (const { item, path } of items)
    if (item.type === "additional_tools" || item.type === "tool_search_output")
      yield { tools: item.tools, path: `${path}.tools` };
}

/** Returns the items of a request, with their places. Throws 400 for anything else than a text or a list of objects. */
export function listItems(input: unknown, max: number): PlacedItem[] {
  if (typeof input === "string") return [{ item: { type: "message", role: "user", content: input }, path: "input" }];
  if (!Array.isArray(input)) throw invalidInput("input", "must be a text or a list of items");
  if (input.length > max) throw invalidInput("input", `must have at most ${max} items`);
  return input.map((item, index) => ({
    item: nameReference(readObject(item, `input.${index}`)),
    path: `input.${index}`,
  }));
}

/** Returns an item with its type, if it is a reference without one: OpenAI's SDKs allow them to have only an id. */
const nameReference = (item: Json): Json => {
  const { id, type = null, role = null, content = null } = item;
  const isReference = typeof id === "string" && type === null && role === null && content === null;
  return isReference ? { ...item, type: "item_reference" } : item;
};
