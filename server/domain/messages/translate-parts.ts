import { invalidInput } from "../../errors";
import { isObject } from "../../lib/is-object";
import {
  dropMember,
  expectArray,
  expectObject,
  expectString,
  isAbsent,
  type Json,
  markOf,
  type Translation,
} from "./translation";

/** A part of a chat's message, and where the client has sent it. */
export interface PlacedPart {
  part: Json;
  place: string;
}

type Translate = (block: Json, place: string, translation: Translation) => PlacedPart[];

const textPart = (text: string, place: string, mark: Json = {}): PlacedPart => ({
  part: { type: "text", text, ...mark },
  place,
});

/** The blocks of users and of tool results that a chat can express. */
const translators: Record<string, Translate> = {
  text: (block, place, translation) => [
    textPart(expectString(block.text, `${place}.text`), place, markOf(block, translation)),
  ],
  image: translateImage,
  document: translateDocument,
  search_result: translateSearchResult,
};

/** Returns the blocks of a text, or of a list of blocks, with their places. Throws 400 for anything else. */
export function listBlocks(content: unknown, place: string): { block: Json; place: string }[] {
  if (typeof content === "string") return [{ block: { type: "text", text: content }, place }];
  if (!Array.isArray(content)) throw invalidInput(place, "must be a string or a list of blocks");
  return content.map((block, index) => ({
    block: expectObject(block, `${place}.${index}`),
    place: `${place}.${index}`,
  }));
}

/** Returns the parts of a block. Throws 400 for one that a chat cannot express. */
export function translateBlock(block: Json, place: string, translation: Translation): PlacedPart[] {
  const type = expectString(block.type, `${place}.type`);
  const isKnown = Object.hasOwn(translators, type) && !(translation.isEstimate && hasNewSource(block));
  if (isKnown) return translators[type]!(block, place, translation);
  return [rejectBlock(block, place, translation)];
}

/** Returns whether the source of a block has a type that the hub does not know. */
const hasNewSource = ({ source }: Json): boolean =>
  isObject(source) && !["base64", "content", "file", "text", "url"].includes(String(source.type));

/** Throws 400 for a block that a chat cannot express, or returns it as text if only the estimate needs it. */
export function rejectBlock(block: Json, place: string, translation: Translation): PlacedPart {
  if (!translation.isEstimate)
    throw invalidInput(`${place}.type`, `"${String(block.type).slice(0, 64)}" is not supported by this model here`);
  const hasUrl = isObject(block.source) && block.source.type === "url";
  // Only the model's context limits the tokens behind a URL.
  const part = hasUrl ? { type: "unread" } : { type: "text", text: JSON.stringify(block) };
  return { part: { ...part, ...markOf(block, translation) }, place };
}

function translateImage(block: Json, place: string, translation: Translation): PlacedPart[] {
  const source = readSource(expectObject(block.source, `${place}.source`), `${place}.source`, "url");
  return [{ part: { type: "image_url", image_url: source, ...markOf(block, translation) }, place }];
}

/** Returns what names the content of a picture or a document: the id of a file, or a URL under this name. */
function readSource(source: Json, place: string, name: string): Json {
  if (source.type === "file") return { file_id: expectString(source.file_id, `${place}.file_id`) };
  if (source.type === "url") return { [name]: expectString(source.url, `${place}.url`) };
  if (source.type !== "base64") throw invalidInput(`${place}.type`, "must be base64, file or url");
  const mediaType = expectString(source.media_type, `${place}.media_type`);
  return { [name]: `data:${mediaType};base64,${expectString(source.data, `${place}.data`)}` };
}

function translateDocument(block: Json, place: string, translation: Translation): PlacedPart[] {
  const source = expectObject(block.source, `${place}.source`);
  if (isObject(block.citations) && block.citations.enabled === true) translation.dropped.add("citations");
  const mark = markOf(block, translation);
  if (source.type === "text") {
    const text = expectString(source.data, `${place}.source.data`);
    return [textPart(withTitle(block, text), place, mark)];
  }
  if (source.type === "content") {
    const parts = listBlocks(source.content, `${place}.source.content`).flatMap((inner) =>
      translateBlock(inner.block, inner.place, translation),
    );
    dropContext(block, translation);
    const heading = typeof block.title === "string" ? [textPart(block.title, place)] : [];
    const [first, ...others] = [...heading, ...parts];
    return first ? [{ ...first, part: { ...first.part, ...mark } }, ...others] : [];
  }
  dropContext(block, translation);
  const file = readSource(source, `${place}.source`, "file_data");
  if (typeof block.title === "string") file.filename = block.title;
  return [{ part: { type: "file", file, ...mark }, place }];
}

function dropContext({ context }: Json, translation: Translation): void {
  if (!isAbsent(context)) dropMember(translation, "context", context);
}

const withTitle = ({ title, context }: Json, text: string): string =>
  [title, context, text].filter((piece) => typeof piece === "string" && piece !== "").join("\n\n");

function translateSearchResult(block: Json, place: string, translation: Translation): PlacedPart[] {
  const texts = expectArray(block.content, `${place}.content`).map((part, index) =>
    expectString(expectObject(part, `${place}.content.${index}`).text, `${place}.content.${index}.text`),
  );
  const heading = [block.title, block.source].filter((piece) => typeof piece === "string");
  return [textPart([...heading, ...texts].join("\n\n"), place, markOf(block, translation))];
}

/** Returns parts as the content of a message: as one text if they are only text, which all servers understand. */
export function toContent(parts: PlacedPart[], separator = "\n\n"): string | Json[] {
  const isPlain = parts.every(({ part }) => part.type === "text" && part.cache_control === undefined);
  return isPlain ? parts.map(({ part }) => part.text as string).join(separator) : parts.map(({ part }) => part);
}
