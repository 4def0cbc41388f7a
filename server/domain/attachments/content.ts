import { isUtf8 } from "node:buffer";
import type { Attachment, Medium } from "./attachment";

type Json = Record<string, unknown>;

/** The content of an attachment. */
export interface Content {
  bytes: Buffer;
  /** The type that its bytes show; null if no signature matches, as for text. */
  mediaType: string | null;
  /** The name of the file; null if it has none. */
  name: string | null;
}

const PDF = "application/pdf";

/** More is above the context of every model, and takes long to decode. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** The names of audio formats in OpenAI's `input_audio`. */
const audioFormats = new Map([
  ["audio/wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/flac", "flac"],
  ["audio/ogg", "ogg"],
]);

/** Returns whether a file of this type reaches the model as text. */
export const isTextFile = (mediaType: string): boolean => /^(text\/.*|application\/json)$/.test(mediaType);

/** Returns why content of this type is not what its part says; null if it is. */
export function contentIssue(medium: Medium, mediaType: string): string | null {
  if (medium === "image") return mediaType.startsWith("image/") ? null : `is ${mediaType}, not an image`;
  if (medium === "audio")
    return audioFormats.has(mediaType) ? null : `is ${mediaType}, not WAV, MP3, FLAC or Ogg audio`;
  return mediaType === PDF || isTextFile(mediaType) ? null : `is ${mediaType}, not a PDF or text`;
}

/** What a model can read. */
interface Reader {
  supports: { vision: boolean };
  inputModalities: string[];
}

const mediumNames: Record<Medium, string> = { image: "images", file: "files other than text", audio: "audio" };

/** Returns why a model cannot read a medium; null if it can. Text files need nothing, because they reach it as text. */
export function unsupportedMedium({ supports, inputModalities }: Reader, medium: Medium): string | null {
  const modalities = new Set([...inputModalities, ...(supports.vision ? ["image"] : [])]);
  if (medium === "image" ? supports.vision : modalities.has(medium)) return null;
  return `this model does not support ${mediumNames[medium]}, only ${[...modalities].join(", ")}`;
}

/** Returns why content is not what its part says, or cannot be read by the model; null if it is fine. */
export function findContentIssue(reader: Reader, medium: Medium, { bytes, mediaType }: Content): string | null {
  if (medium === "file" && mediaType !== PDF) return textIssue(bytes);
  return contentIssue(medium, mediaType ?? "content of an unknown type") ?? unsupportedMedium(reader, medium);
}

function textIssue(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) return "is neither a PDF nor text in UTF-8";
  return bytes.length > MAX_TEXT_BYTES ? `is text of more than ${MAX_TEXT_BYTES} bytes` : null;
}

/** Returns the content of a file as text, after its name if it has one; null if it is a PDF. */
export function readTextFile({ bytes, mediaType, name }: Content): string | null {
  if (mediaType === PDF) return null;
  return name === null ? bytes.toString() : `${name}:\n\n${bytes.toString()}`;
}

export const toDataUrl = ({ bytes, mediaType }: Content): string =>
  `data:${mediaType};base64,${bytes.toString("base64")}`;

/** Returns the content of a recording as OpenAI's `input_audio`. */
export const toAudio = ({ bytes, mediaType }: Content): Json => ({
  data: bytes.toString("base64"),
  format: audioFormats.get(mediaType!),
});

/** Returns the part with its content as data, so that every provider can read it: a text file as a text part. */
export function withContent({ medium, part, name }: Attachment, content: Content): Json {
  if (medium === "image") return { ...part, image_url: replaceUrl(part.image_url, toDataUrl(content)) };
  if (medium === "audio") return { ...part, input_audio: toAudio(content) };
  const named = { ...content, name: name ?? content.name };
  const text = readTextFile(named);
  const rest = withoutMember(part, "file");
  if (text !== null) return { ...rest, type: "text", text };
  return { ...rest, type: "file", file: { filename: named.name ?? "document.pdf", file_data: toDataUrl(content) } };
}

function replaceUrl(image: unknown, url: string): unknown {
  return typeof image === "string" ? url : { ...withoutMember(image as Json, "file_id"), url };
}

const withoutMember = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([member]) => member !== name));
