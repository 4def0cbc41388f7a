import { invalidInput } from "../../errors";
import { type Json, readList, readObject, withoutAbsent } from "./json";

const MAX_PARTS = 10_000;

/**
 * Called for a part or an item that a chat has no place for, with its path and what is wrong. Throws, or returns so that the
 * JSON counts as text, because only routes that know it get the request.
 */
export type OnUnknown = (unknown: Json, path: string, message: string) => void;

/** Translates the content of a message or of a tool's output into that of a chat's message. Throws 400 with the path. */
export function translateContent(content: unknown, path: string, onUnknown: OnUnknown): string | Json[] {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  const parts = readList(content, path, MAX_PARTS).map((entry, index) =>
    translatePart(readObject(entry, `${path}.${index}`), `${path}.${index}`, onUnknown),
  );
  // Many servers understand one text better than a list of one part.
  return parts.length === 1 && parts[0]!.type === "text" ? String(parts[0]!.text) : parts;
}

function translatePart(part: Json, path: string, onUnknown: OnUnknown): Json {
  switch (part.type) {
    case "input_text":
    case "output_text":
    case "text":
    case "summary_text":
    case "reasoning_text":
      return { type: "text", text: readString(part.text, `${path}.text`) };
    case "refusal":
      return { type: "text", text: readString(part.refusal, `${path}.refusal`) };
    case "input_image":
      return translateImage(part);
    case "input_file":
      return translateFile(part);
    case "input_audio":
      return { type: "input_audio", input_audio: readObject(part.input_audio, `${path}.input_audio`) };
    default:
      onUnknown(part, path, "is not a part that the hub can translate: use input_text, input_image or input_file");
      return { type: "text", text: JSON.stringify(part) };
  }
}

function readString(value: unknown, path: string): string {
  if (typeof value !== "string") throw invalidInput(path, "must be a text");
  return value;
}

function translateImage({ image_url, file_id, detail }: Json): Json {
  return { type: "image_url", image_url: withoutAbsent({ url: image_url, file_id, detail }) };
}

function translateFile({ file_data, file_url, file_id, filename }: Json): Json {
  return { type: "file", file: withoutAbsent({ file_data, file_url, file_id, filename }) };
}
