import type { SentJson } from "../../lib/json/sent-json";
import type { NativeRequest } from "../chat";
import { parseItemId } from "./ids";
import type { Json } from "./json";
import { isSealed } from "./reasoning";
import { REASONING } from "./read-request";
import { createToolNames } from "./tool-names";
import { translateTools } from "./tools";
import type { PlacedItem } from "./translate-items";
import type { TranslatedRequest } from "./translate-request";

interface Options {
  items: PlacedItem[];
  translated: Pick<TranslatedRequest, "tools" | "dropped">;
  sent: SentJson | null;
  supportsReasoning: boolean;
}

/**
 * Returns the request for a provider that has Responses itself. The hub keeps what is stored, so the provider gets all items
 * and stores nothing; what its reasoning needs later comes back encrypted.
 */
export function toNativeRequest(request: Json, { items, translated, sent, supportsReasoning }: Options): NativeRequest {
  const body: Json = { ...request, store: false, input: nativeInput(request.input, items) };
  delete body.previous_response_id;
  for (const name of translated.dropped) delete body[name];
  if (translated.tools) body.tools = translated.tools;
  if (supportsReasoning) body.include = [...new Set([...((body.include as unknown[] | null) ?? []), REASONING])];
  return { body, sent, headers: {} };
}

/** Returns the input as it was sent, unless the provider must get other items. */
function nativeInput(input: unknown, items: PlacedItem[]): unknown {
  if (typeof input === "string" && items.length === 1) return input;
  return items.flatMap(({ item, path }) => toNativeItem(item, path));
}

function toNativeItem(item: Json, path: string): Json[] {
  if (item.type === "reasoning") return toNativeReasoning(item);
  const { id, ...rest } = item;
  const own = typeof id === "string" && parseItemId(id) ? rest : item;
  if (item.type !== "additional_tools" && item.type !== "tool_search_output") return [own];
  return [{ ...own, tools: translateTools(item.tools, `${path}.tools`, createToolNames()).own }];
}

/** Returns reasoning without its id, by which a provider would look for it; none if only the hub can read it. */
function toNativeReasoning({ id: _, ...item }: Json): Json[] {
  const isReadable = typeof item.encrypted_content === "string" || Array.isArray(item.content);
  return isReadable && !isSealed(item.encrypted_content) ? [item] : [];
}
