import { isObject } from "../../lib/is-object";

type Json = Record<string, unknown>;

export type Medium = "image" | "file" | "audio";

/** Where the content of an attachment is. */
export type Source =
  /** A file of the account, by its id. */
  | { by: "id"; value: string }
  /** The same, by `sha256:` and the hash of its content in hexadecimal. */
  | { by: "hash"; value: string }
  /** A URL of the hub's files, or any other. */
  | { by: "url"; value: string }
  | DataSource;

/** Data in the part itself: base64 in `value`, from `start` on, after the head of a data: URL. */
export interface DataSource {
  by: "data";
  value: string;
  start: number;
}

/** A part of a message whose content is not in `text`. */
export interface Attachment {
  medium: Medium;
  /** The path of the part in the request body, such as `messages.0.content.1`. */
  place: string;
  /** The path of its content, such as `messages.0.content.1.image_url`. */
  path: string;
  part: Json;
  /** The name that the client has given to a file. */
  name: string | null;
  /** Null if the part names no content, or names it in an unknown form. */
  source: Source | null;
}

/** How each type of part names its content, besides the id of a file of the account. */
const partTypes = new Map<unknown, { medium: Medium; member: string; sources: string[] }>([
  ["image_url", { medium: "image", member: "image_url", sources: ["url"] }],
  ["file", { medium: "file", member: "file", sources: ["file_data", "file_url"] }],
  ["input_audio", { medium: "audio", member: "input_audio", sources: ["data"] }],
]);

/** Returns the attachments of a chat's messages. Values of another shape are ignored. */
export function findAttachments(messages: unknown): Attachment[] {
  return toArray(messages).flatMap((message, m) =>
    toArray((message as Json | null)?.content).flatMap(
      (part, p) => readAttachment(part, `messages.${m}.content.${p}`) ?? [],
    ),
  );
}

/** Returns the attachment that a part of a message is; null for another part. */
export function readAttachment(part: unknown, place: string): Attachment | null {
  const type = isObject(part) ? partTypes.get(part.type) : undefined;
  if (!type) return null;
  const { medium, member, sources } = type;
  const value = (part as Json)[member];
  // Most clients send `{ url }`, some the URL of an image itself.
  const given: Json = isObject(value) ? value : medium === "image" ? { url: value } : {};
  const named = ["file_id", ...sources].filter((name) => (given[name] ?? null) !== null);
  const text = named.length === 1 ? given[named[0]!] : null;
  const name = typeof given.filename === "string" && given.filename !== "" ? given.filename : null;
  const source = typeof text === "string" ? readSource(medium, named[0]!, text) : null;
  return { medium, place, path: `${place}.${member}`, part: part as Json, name, source };
}

const MAX_HEAD_LENGTH = 1_000;

function readSource(medium: Medium, member: string, value: string): Source | null {
  if (member === "file_id") return { by: "id", value };
  if (/^sha256:[0-9a-f]{64}$/i.test(value)) return { by: "hash", value };
  if (/^https?:\/\//i.test(value)) return { by: "url", value };
  if (/^data:/i.test(value)) return readDataUrl(medium, value);
  return medium === "image" || member === "file_url" || value === "" ? null : { by: "data", value, start: 0 };
}

// The provider decides about the data: URLs of images.
function readDataUrl(medium: Medium, value: string): Source | null {
  const head = value.slice(0, MAX_HEAD_LENGTH);
  const start = head.indexOf(",") + 1;
  return medium === "image" || /;base64,$/i.test(head.slice(0, start)) ? { by: "data", value, start } : null;
}

/** Returns whether a message refers to a spoken answer (`audio.id`), which its provider reads as a recording of any length. */
export const hasSpokenAnswer = (message: unknown): boolean => isObject(message) && isObject(message.audio);

/** Returns the messages with the parts at the places in `parts` replaced. */
export function replaceParts(messages: unknown[], parts: ReadonlyMap<string, Json>): unknown[] {
  const replace = (content: unknown[], m: number) =>
    content.map((part, p) => parts.get(`messages.${m}.content.${p}`) ?? part);
  return messages.map((message, m) => {
    const { content } = message as Json;
    return Array.isArray(content) ? { ...(message as Json), content: replace(content, m) } : message;
  });
}

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
