import { parseClientCallId } from "../dialects";
import { type Json, readText } from "./json";
import type { NamedTool, ToolNames } from "./tool-names";
import { type OnUnknown, translateContent } from "./translate-parts";

export interface ConversationOptions {
  names: ToolNames;
  onUnknown: OnUnknown;
  /** Returns the text of encrypted reasoning; null if the hub cannot read it. */
  openReasoning: (content: unknown) => string | null;
}

/** The messages of a chat. */
export interface TranslatedConversation {
  messages: Json[];
  /** The place in the request that each message begins with. */
  paths: string[];
}

/** Makes the messages of a chat from items, one after the other. Throws 400 with the path of an item that is not valid. */
export interface Conversation {
  addMessage(role: string, content: unknown, path: string): void;
  addReasoning(content: unknown, path: string): void;
  addCall(item: Json, tool: NamedTool, text: string, path: string): void;
  addOutput(item: Json, output: unknown, path: string): void;
  end(): TranslatedConversation;
}

/**
 * Begins a conversation. Adjacent items of the assistant become one message, and pictures in the outputs of tools a message of
 * the user after them, because the messages of tools have only text.
 */
export function createConversation({ names, onUnknown, openReasoning }: ConversationOptions): Conversation {
  const messages: Json[] = [];
  const paths: string[] = [];
  let media: { parts: Json[]; path: string } | null = null;
  let assistant: Json | null = null;
  const push = (message: Json, path: string): Json => {
    messages.push(message);
    paths.push(path);
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
  const addAnswer = (text: string, path: string) => {
    // A second text becomes a second message, unless the message has calls, because their outputs must follow it directly.
    if (assistant && assistant.content !== null && !assistant.tool_calls) assistant = null;
    append(openAssistant(path), "content", text);
  };
  return {
    addMessage(role, sent, path) {
      const content = translateContent(sent, `${path}.content`, onUnknown);
      if (role === "assistant") return addAnswer(typeof content === "string" ? content : joinTexts(content), path);
      endTurn();
      push({ role, content }, path);
    },
    addReasoning(content, path) {
      const text = openReasoning(content);
      if (text !== null) append(openAssistant(path), "reasoning_content", text);
    },
    addCall(item, tool, text, path) {
      const id = readText(item.call_id, `${path}.call_id`);
      const call = {
        ...parseClientCallId(id),
        type: "function",
        function: { name: names.encode(tool), arguments: text },
      };
      ((openAssistant(path).tool_calls ??= []) as Json[]).push(call);
    },
    addOutput(item, output, path) {
      const tool_call_id = parseClientCallId(readText(item.call_id, `${path}.call_id`)).id;
      const content = translateContent(output, `${path}.output`, onUnknown);
      assistant = null;
      push({ role: "tool", tool_call_id, content: typeof content === "string" ? content : joinTexts(content) }, path);
      const others = typeof content === "string" ? [] : content.filter(({ type }) => type !== "text");
      if (others.length === 0) return;
      media ??= { parts: [], path };
      media.parts.push(...others);
    },
    end() {
      endTurn();
      // A turn that was cut may have only reasoning, and many servers reject null content without calls.
      for (const message of messages) if (message.content === null && !message.tool_calls) message.content = "";
      return { messages, paths };
    },
  };
}

const joinTexts = (parts: Json[]): string => parts.map(({ text }) => (typeof text === "string" ? text : "")).join("");

const append = (message: Json, name: string, text: string): void => {
  message[name] = `${(message[name] as string | null | undefined) ?? ""}${text}`;
};
