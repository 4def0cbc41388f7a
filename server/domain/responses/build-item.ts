import { isObject } from "../../lib/is-object";
import { toClientCallId } from "../dialects";
import { toItemId } from "./ids";
import type { Json } from "./json";
import type { NamedTool, ToolNames } from "./tool-names";

/** The response whose items are built. */
export interface ItemOwner {
  /** The generation of the response. */
  responseId: string;
  names: ToolNames;
  /** Encrypts reasoning, for a client that sends it back; null if nobody will. */
  seal: ((text: string) => string) | null;
}

export type TextKind = "text" | "refusal" | "reasoning";

/** What an item of the output is made from. */
export type ItemSource = { kind: TextKind } | { kind: "call"; tool: NamedTool; callId: string };

/** A model's call of a function, as far as it is known. */
export interface ModelCall {
  name: string;
  id: string;
  signature: string | null;
}

/** Returns the source of a model's call of a function; some servers send no id. */
export const callOf = (
  { responseId, names }: ItemOwner,
  { name, id, signature }: ModelCall,
  index: number,
): ItemSource => ({
  kind: "call",
  tool: names.decode(name),
  callId: toClientCallId(id || `call_${responseId.replaceAll("-", "")}${index}`, signature),
});

/** Returns the type of the item. */
function typeOf(source: ItemSource): string {
  if (source.kind === "reasoning") return "reasoning";
  if (source.kind !== "call") return "message";
  return { function: "function_call", custom: "custom_tool_call", tool_search: "tool_search_call" }[source.tool.kind];
}

/** An item that is built: its source, its position in the output, its text and its status. */
interface ItemState {
  source: ItemSource;
  index: number;
  text: string;
  status: string;
}

/** Returns an item that has ended, with the ciphertext of its reasoning. */
export function endItem(owner: ItemOwner, state: ItemState): Json {
  const item = buildItem(owner, state);
  if (state.source.kind === "reasoning" && owner.seal) item.encrypted_content = owner.seal(state.text);
  return item;
}

/** Returns an item of the output with its text. */
export function buildItem({ responseId }: ItemOwner, { source, index, text, status }: ItemState): Json {
  const type = typeOf(source);
  const id = toItemId(type, { responseId, part: "output", index });
  if (source.kind === "reasoning") return { id, type, summary: [{ type: "summary_text", text }] };
  if (source.kind !== "call") {
    const part =
      source.kind === "refusal" ? { type: "refusal", refusal: text } : { type: "output_text", annotations: [], text };
    return { id, type, status, role: "assistant", content: [part] };
  }
  const { tool, callId } = source;
  const called = { id, type, status, call_id: callId };
  if (tool.kind === "tool_search") return { ...called, execution: "client", arguments: parseArguments(text) ?? {} };
  const named = { ...called, name: tool.name, ...(tool.namespace !== null && { namespace: tool.namespace }) };
  return tool.kind === "custom" ? { ...named, input: readInput(text) } : { ...named, arguments: text };
}

/** Returns the input of a custom tool; the text itself if the model has not written the function's arguments. */
function readInput(text: string): string {
  const input = parseArguments(text)?.input;
  return typeof input === "string" ? input : text;
}

function parseArguments(text: string): Json | null {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
