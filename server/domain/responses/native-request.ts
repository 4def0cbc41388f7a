import type { SentJson } from "../../lib/json/sent-json";
import { type NativeRequest, parseClientCallId } from "../dialects";
import { invalidInput } from "../../errors";
import { isObject, mapObjects } from "../../lib/is-object";
import { type Content, readTextFile, toAudio, toDataUrl } from "../attachments";
import { parseItemId } from "./ids";
import { type Json, withoutAbsent } from "./json";
import { isSealed } from "./reasoning";
import { ENCRYPTED_REASONING } from "./read-request";
import { createToolNames } from "./tool-names";
import { translateTools } from "./tools";
import { HOSTED_ITEM, type PlacedItem } from "./translate-items";
import type { TranslatedRequest } from "./translate-request";

interface Options {
  items: PlacedItem[];
  translated: Pick<TranslatedRequest, "tools" | "dropped" | "untranslated">;
  sent: SentJson | null;
  supportsReasoning: boolean;
}

/**
 * Returns the request for a provider that has Responses itself. The hub keeps what is stored, so the provider gets all items
 * and stores nothing; what its reasoning needs later comes back encrypted.
 */
export function toNativeRequest(request: Json, { items, translated, sent, supportsReasoning }: Options): NativeRequest {
  const input = nativeInput(request.input, items);
  const body: Json = { ...request, store: false, input };
  delete body.previous_response_id;
  for (const name of translated.dropped) delete body[name];
  if (translated.tools) body.tools = translated.tools;
  if (supportsReasoning)
    body.include = [...new Set([...((body.include as unknown[] | null) ?? []), ENCRYPTED_REASONING])];
  return {
    body,
    sent,
    headers: {},
    untranslated: [...translated.untranslated, ...listReasoning(input)],
    withFiles: (files) => ({ ...body, input: inlineFiles(input, files) }),
  };
}

/** Returns the reasoning in a native input. It is not the hub's, so a chat does not get it. */
const listReasoning = (input: unknown): unknown[] =>
  Array.isArray(input) ? input.filter((item: unknown) => isObject(item) && item.type === "reasoning") : [];

type Files = ReadonlyMap<string, Content>;

/** Returns the input with the contents of files in messages and in what tools return. */
const inlineFiles = (input: unknown, files: Files): unknown =>
  mapObjects(input, (item) => ({
    ...item,
    ...(Array.isArray(item.content) && { content: mapObjects(item.content, (part) => withContent(part, files)) }),
    ...(Array.isArray(item.output) && { output: mapObjects(item.output, (part) => withContent(part, files)) }),
  }));

/** Returns a part with its content, if that is a file of the account. */
function withContent(part: Json, files: Files): Json {
  if (!isObject(part.input_audio)) return withFileContent(part, files);
  const { file_id, data } = part.input_audio;
  const content = files.get(String(file_id ?? data));
  return content ? { ...part, input_audio: toAudio(content) } : part;
}

function withFileContent({ file_id, image_url, file_url, file_data, ...part }: Json, files: Files): Json {
  const given = withoutAbsent({ file_id, image_url, file_url, file_data });
  const content = files.get(String(Object.values(given)[0]));
  if (!content) return { ...part, ...given };
  if (part.type === "input_image") return { ...part, image_url: toDataUrl(content) };
  const named = { ...content, name: typeof part.filename === "string" ? part.filename : content.name };
  const text = readTextFile(named);
  if (text !== null) return { type: "input_text", text };
  return { ...part, filename: named.name ?? "document.pdf", file_data: toDataUrl(content) };
}

/**
 * Throws 400 for the id of a file in what the hub does not translate: the provider would look for it in the operator's
 * account.
 */
export function rejectFileIds(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "file_id"))
    throw invalidInput(`${path}.file_id`, "can name a file only in input_image, input_file and input_audio");
  for (const [name, member] of Object.entries(value)) rejectFileIds(member, `${path}.${name}`);
}

/** Returns the input for the provider: a text as it was sent, otherwise all items in the provider's form. */
function nativeInput(input: unknown, items: PlacedItem[]): unknown {
  if (typeof input === "string" && items.length === 1) return input;
  return items.flatMap(({ item, path }) => toNativeItem(item, path));
}

function toNativeItem(item: Json, path: string): Json[] {
  if (HOSTED_ITEM.test(String(item.type))) {
    rejectFileIds(item, path);
    // No route gets tools that run at OpenAI, nor their items: the hold does not cover them.
    return [];
  }
  if (item.type === "reasoning") return toNativeReasoning(item);
  const { id, ...rest } = item;
  const own = { ...(typeof id === "string" && parseItemId(id) ? rest : item) };
  // OpenAI takes ids of up to 64 characters, and nothing that belongs to Gemini.
  if (typeof own.call_id === "string") own.call_id = parseClientCallId(own.call_id).id;
  if (item.type !== "additional_tools" && item.type !== "tool_search_output") return [own];
  return [{ ...own, tools: translateTools(item.tools, `${path}.tools`, createToolNames()).own }];
}

/** Returns reasoning without its id, by which a provider would look for it; none if only the hub can read it. */
function toNativeReasoning(known: Json): Json[] {
  const item = { ...known };
  delete item.id;
  const isReadable = typeof item.encrypted_content === "string" || Array.isArray(item.content);
  return isReadable && !isSealed(item.encrypted_content) ? [item] : [];
}
