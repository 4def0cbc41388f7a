import { isObject } from "../../lib/is-object";
import { JsonScanner } from "../../lib/json/scanner";

type Json = Record<string, unknown>;

/** Thrown for a part of a chat that Messages cannot express. */
export class Untranslatable extends Error {
  override readonly name = "Untranslatable";
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}.`);
  }
}

/** Returns the blocks of a chat's message in its turn. Throws Untranslatable. */
export function toBlocks(message: Json, index: number): Json[] {
  const place = `messages.${index}`;
  const content = contentBlocks(message, `${place}.content`);
  if (message.role === "tool") {
    const { tool_call_id: tool_use_id } = message;
    return [{ type: "tool_result", tool_use_id, content }];
  }
  if (message.role === "assistant") return [...content, ...callBlocks(message.tool_calls, `${place}.tool_calls`)];
  return content;
}

function contentBlocks({ content, cache_control: mark }: Json, place: string): Json[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : [];
  const blocks = parts.flatMap((part: unknown, index) => toBlock(part, `${place}.${index}`));
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
  const media = type === "image_url" ? readPicture(part) : type === "file" ? readDocument(part) : null;
  if (media) return media;
  throw new Untranslatable(place, `parts of type ${JSON.stringify(type)} are not supported by this model`);
}

const readPicture = ({ image_url: image }: Json): Json | null =>
  isObject(image) && typeof image.url === "string" ? { type: "image", source: toSource(image.url) } : null;

function readDocument({ file }: Json): Json | null {
  if (!isObject(file) || typeof file.file_data !== "string") return null;
  const title = typeof file.filename === "string" && { title: file.filename };
  return { type: "document", source: toSource(file.file_data), ...title };
}

const DATA_URL = /^data:([^;,]+)(?:;[^,]*)?;base64,/;

function toSource(url: string): Json {
  const [prefix, type] = DATA_URL.exec(url.slice(0, 200)) ?? [];
  if (prefix === undefined) return { type: "url", url };
  const data = url.slice(prefix.length);
  if (type === "text/plain") return { type: "text", media_type: type, data: Buffer.from(data, "base64").toString() };
  return { type: "base64", media_type: type, data };
}

function callBlocks(calls: unknown, place: string): Json[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call: unknown, index): Json => {
    const called = isObject(call) ? call.function : undefined;
    if (!isObject(call) || !isObject(called)) throw new Untranslatable(`${place}.${index}`, "must call a function");
    const input = parseInput(called.arguments);
    if (!input)
      throw new Untranslatable(
        `${place}.${index}.function.arguments`,
        "must be a JSON object of at most 64 levels and 10,000 values",
      );
    return { type: "tool_use", id: call.id, name: called.name, input };
  });
}

/** The bounds of a request do not count what is in a text. */
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
