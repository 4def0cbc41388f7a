import { type ItemPlace, toItemId } from "./ids";
import type { Json } from "./json";
import type { NamedTool } from "./tool-names";

/** What an item of the output is made from. */
export type ItemSource = { kind: "text" | "refusal" | "reasoning" } | { kind: "call"; tool: NamedTool; callId: string };

/** Returns the type of the item. */
function typeOf(source: ItemSource): string {
  if (source.kind === "reasoning") return "reasoning";
  if (source.kind !== "call") return "message";
  return { function: "function_call", custom: "custom_tool_call", tool_search: "tool_search_call" }[source.tool.kind];
}

/** Returns an item of the output with its text. */
export function buildItem(source: ItemSource, place: ItemPlace, text: string, status: string): Json {
  const type = typeOf(source);
  const id = toItemId(type, place);
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
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}
