import { invalidInput } from "../../errors";
import { type Json, readObject, readText } from "./json";
import type { NamedTool, ToolNames } from "./tool-names";
import { SEARCH } from "./tools";
import { type OnUnknown, translateContent } from "./translate-parts";

/** An item with its place in the request. */
export interface PlacedItem {
  item: Json;
  path: string;
}

/** What items become in a chat. */
export interface TranslatedItems {
  messages: Json[];
  /** The place in the request that each message begins with. */
  paths: string[];
  /** Types of items that the chat does not get. */
  dropped: Set<string>;
}

interface Options {
  names: ToolNames;
  onUnknown: OnUnknown;
  /** Returns the text of encrypted reasoning; null if the hub cannot read it. */
  openReasoning: (content: unknown) => string | null;
}

/** Items of tools that run at OpenAI, and of its compaction, which a chat has no place for. */
const HOSTED_ITEM =
  /^(?:web_search|file_search|computer|code_interpreter|image_generation|mcp|shell|local_shell|apply_patch|program)(?:_|$)/;

/**
 * Translates items into the messages of a chat. Adjacent items of the assistant become one message, and pictures in the outputs
 * of tools a message of the user after them. Throws 400 with the path of an item that is not valid.
 */
export function translateItems(items: Iterable<PlacedItem>, options: Options): TranslatedItems {
  const { names, onUnknown, openReasoning } = options;
  const result: TranslatedItems = { messages: [], paths: [], dropped: new Set() };
  let media: { parts: Json[]; path: string } | null = null;
  let assistant: Json | null = null;
  const push = (message: Json, path: string) => {
    result.messages.push(message);
    result.paths.push(path);
    return message;
  };
  const endTurn = () => {
    assistant = null;
    if (media) push({ role: "user", content: media.parts }, media.path);
    media = null;
  };
  const openAssistant = (path: string): Json => {
    if (media) endTurn();
    return (assistant ??= push({ role: "assistant", content: null }, path));
  };
  const addCall = ({ item, path }: PlacedItem, tool: NamedTool, text: string) => {
    const message = openAssistant(path);
    const id = readText(item.call_id, `${path}.call_id`);
    const call = { id, type: "function", function: { name: names.encode(tool), arguments: text } };
    ((message.tool_calls ??= []) as Json[]).push(call);
  };
  const addOutput = ({ item, path }: PlacedItem, output: unknown) => {
    const tool_call_id = readText(item.call_id, `${path}.call_id`);
    const content = translateContent(output, `${path}.output`, onUnknown);
    const texts = typeof content === "string" ? content : joinTexts(content);
    const others = typeof content === "string" ? [] : content.filter(({ type }) => type !== "text");
    assistant = null;
    push({ role: "tool", tool_call_id, content: texts }, path);
    if (others.length > 0) media = { parts: [...(media?.parts ?? []), ...others], path: media?.path ?? path };
  };
  const addReasoning = ({ item, path }: PlacedItem) => {
    const text = openReasoning(item.encrypted_content);
    if (text === null) return;
    const message = openAssistant(path);
    message.reasoning_content = `${(message.reasoning_content as string | undefined) ?? ""}${text}`;
  };
  const addMessage = ({ item, path }: PlacedItem) => {
    const role = readRole(item.role, `${path}.role`);
    const content = translateContent(item.content, `${path}.content`, onUnknown);
    if (role !== "assistant") {
      endTurn();
      return push({ role, content }, path);
    }
    const text = typeof content === "string" ? content : joinTexts(content);
    const isNext = assistant !== null && (assistant as Json).content !== null && !(assistant as Json).tool_calls;
    if (isNext) assistant = null;
    const message = openAssistant(path);
    message.content = `${(message.content as string | null) ?? ""}${text}`;
  };
  const translators: Record<string, (placed: PlacedItem) => unknown> = {
    message: addMessage,
    reasoning: addReasoning,
    function_call: (placed) => addCall(placed, readTool(placed, "function"), readArguments(placed)),
    custom_tool_call: (placed) =>
      addCall(placed, readTool(placed, "custom"), JSON.stringify({ input: readInput(placed) })),
    tool_search_call: (placed) => addCall(placed, SEARCH, JSON.stringify(placed.item.arguments ?? {})),
    function_call_output: (placed) => addOutput(placed, placed.item.output),
    custom_tool_call_output: (placed) => addOutput(placed, placed.item.output),
    tool_search_output: (placed) => addOutput(placed, JSON.stringify(placed.item.tools ?? [])),
    additional_tools: () => undefined,
  };
  for (const placed of items) {
    const { item, path } = placed;
    const type = item.type ?? "message";
    if (typeof type === "string" && Object.hasOwn(translators, type)) translators[type]!(placed);
    else if (typeof type === "string" && HOSTED_ITEM.test(type)) result.dropped.add(type.slice(0, MAX_TYPE_LENGTH));
    else {
      onUnknown(`${path}.type`, "is not an item that the hub can translate for this model");
      push({ role: "user", content: JSON.stringify(item) }, path);
    }
  }
  endTurn();
  return result;
}

const MAX_TYPE_LENGTH = 64;
const ROLES: Record<string, string> = { user: "user", assistant: "assistant", system: "system", developer: "system" };

function readRole(role: unknown, path: string): string {
  if (typeof role !== "string" || !Object.hasOwn(ROLES, role))
    throw invalidInput(path, "must be user, assistant, system or developer");
  return ROLES[role]!;
}

const joinTexts = (parts: Json[]): string => parts.map(({ text }) => (typeof text === "string" ? text : "")).join("");

function readTool({ item, path }: PlacedItem, kind: NamedTool["kind"]): NamedTool {
  const namespace = typeof item.namespace === "string" ? item.namespace : null;
  return { kind, name: readText(item.name, `${path}.name`), namespace };
}

function readArguments({ item, path }: PlacedItem): string {
  if (typeof item.arguments !== "string") throw invalidInput(`${path}.arguments`, "must be the JSON text of an object");
  return item.arguments;
}

function readInput({ item, path }: PlacedItem): string {
  if (typeof item.input !== "string") throw invalidInput(`${path}.input`, "must be a text");
  return item.input;
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
  return input.map((item, index) => ({ item: readObject(item, `input.${index}`), path: `input.${index}` }));
}
