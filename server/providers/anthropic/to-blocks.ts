import { isObject } from "../../lib/is-object";
import { JsonScanner } from "../../lib/json/scanner";
import type { SlicedWork } from "../../lib/slices";

type Json = Record<string, unknown>;

/** Thrown for a part of a chat that Messages cannot express. */
export class Untranslatable extends Error {
  override readonly name = "Untranslatable";
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}.`);
  }
}

/** Returns the blocks of a chat's message in its turn. Throws Untranslatable. Pauses between parts, which may be files. */
export function* toBlocks(message: Json, index: number): SlicedWork<Json[]> {
  const place = `messages.${index}`;
  const content = yield* contentBlocks(message, `${place}.content`);
  if (message.role === "tool") {
    return [{ type: "tool_result", tool_use_id: toToolId(message.tool_call_id), content }];
  }
  if (message.role === "assistant")
    return [...content, ...(yield* callBlocks(message.tool_calls, `${place}.tool_calls`))];
  return content;
}

function* contentBlocks({ content, cache_control: mark }: Json, place: string): SlicedWork<Json[]> {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : [];
  const blocks: Json[] = [];
  for (const [index, part] of parts.entries()) {
    blocks.push(...toBlock(part, `${place}.${index}`));
    yield;
  }
  const last = blocks.at(-1);
  if (mark !== undefined && mark !== null && last) last.cache_control ??= mark;
  return blocks;
}

function toBlock(part: unknown, place: string): Json[] {
  if (!isObject(part)) throw new Untranslatable(place, "must be an object");
  const block = readPart(part, place);
  if (!block) return [];
  const { cache_control: mark } = part;
  return [mark === undefined || mark === null ? block : { ...block, cache_control: mark }];
}

/** Returns the block of a part; null for an empty text, which Messages refuses. */
function readPart(part: Json, place: string): Json | null {
  const { type } = part;
  if (type === "text" || type === "refusal") {
    const content = part.text ?? part.refusal;
    return typeof content === "string" && content !== "" ? { type: "text", text: content } : null;
  }
  const media = type === "image_url" ? readPicture(part) : type === "file" ? readDocument(part, place) : null;
  if (media) return media;
  throw new Untranslatable(place, `parts of type ${JSON.stringify(type)} are not supported by this model`);
}

const readPicture = ({ image_url: image }: Json): Json | null =>
  isObject(image) && typeof image.url === "string" ? { type: "image", source: toSource(image.url) } : null;

/** In base64. More is above the context of every model, and takes long to decode. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

function readDocument({ file }: Json, place: string): Json | null {
  if (!isObject(file) || typeof file.file_data !== "string") return null;
  if (TEXT_URL.test(file.file_data) && file.file_data.length > MAX_TEXT_LENGTH)
    throw new Untranslatable(place, "text files may have at most 3 MiB");
  const title = typeof file.filename === "string" && { title: file.filename };
  return { type: "document", source: toSource(file.file_data), ...title };
}

const TEXT_URL = /^data:text\/plain[;,]/;
const DATA_URL = /^data:([^;,]+)(?:;[^,]*)?;base64,/;

function toSource(url: string): Json {
  const [prefix, type] = DATA_URL.exec(url.slice(0, 200)) ?? [];
  if (prefix === undefined) return { type: "url", url };
  const data = url.slice(prefix.length);
  if (type === "text/plain") return { type: "text", media_type: type, data: Buffer.from(data, "base64").toString() };
  return { type: "base64", media_type: type, data };
}

// Models of other makers give ids such as `functions.look:0`, which Messages refuses.
const toToolId = (id: unknown): unknown => (typeof id === "string" ? id.replace(/[^\w-]/g, "_") : id);

function* callBlocks(calls: unknown, place: string): SlicedWork<Json[]> {
  const blocks: Json[] = [];
  for (const [index, call] of (Array.isArray(calls) ? (calls as unknown[]) : []).entries()) {
    blocks.push(toToolUse(call, `${place}.${index}`));
    yield;
  }
  return blocks;
}

function toToolUse(call: unknown, place: string): Json {
  const called = isObject(call) ? call.function : undefined;
  if (!isObject(call) || !isObject(called)) throw new Untranslatable(place, "must call a function");
  const input = parseInput(called.arguments);
  if (!input)
    throw new Untranslatable(
      `${place}.function.arguments`,
      "must be a JSON object of at most 64 levels and 10,000 values",
    );
  return { type: "tool_use", id: toToolId(call.id), name: called.name, input };
}

/** A request's bounds do not count the JSON within a text. */
const INPUT_BOUNDS = { maxDepth: 64, maxValues: 10_000 };

function parseInput(text: unknown): Json | null {
  if (text === undefined || text === null || text === "") return {};
  if (typeof text !== "string" || new JsonScanner(INPUT_BOUNDS).push(Buffer.from(text))) return null;
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
