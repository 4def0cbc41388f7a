import { buffer } from "node:stream/consumers";
import { type Ctx, runBodyWork, runSlicedBodyWork } from "../../context";
import { invalidInput } from "../../errors";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import { encodeJson } from "../../lib/json/write-json";
import { type Edit, type SentJson, splitText } from "../../lib/json/sent-json";
import { findValues, PATH_SEPARATOR } from "../../lib/json/walk-text";
import { InputUnavailable } from "../../providers/input-unavailable";
import { type Content, findContentIssue, HEAD_BYTES, replaceParts, withContent } from "../attachments";
import { typeByMagicBytes } from "../content";
import { openContent } from "../files";
import { fetchOutside } from "../input-files";
import { type ChatFile, MAX_FILE_BYTES } from "./find-files";
import type { ChatHub } from "./hub";
import type { ChatRequest } from "./request";

type Pace = Pick<Ctx<ChatHub>, "hub" | "isLarge">;
type Parts = Map<string, Record<string, unknown>>;

/** Base64 characters per byte. */
const BASE64_RATIO = 4 / 3;

/** The contents of files of a chat. */
type Contents = Map<ChatFile, Content>;

/**
 * Reads files of a chat. Throws 400 for content that is not what its part says or that cannot be fetched, and 503 when the
 * memory budget does not allow it.
 */
export async function readFiles(
  hub: ChatHub,
  { model, files }: Pick<ChatRequest, "model" | "files">,
  memory: Reservation,
  signal: AbortSignal,
): Promise<Contents> {
  const readBytes = createReader(hub, memory, signal);
  const contents: Contents = new Map();
  for (const file of files) {
    const content = toContent(file, await readBytes(file));
    const { medium, path } = file.attachment;
    const issue = findContentIssue(model, medium, content);
    if (issue !== null) throw invalidInput(path, issue);
    contents.set(file, content);
  }
  return contents;
}

const toContent = ({ file }: ChatFile, bytes: Buffer): Content => ({
  bytes,
  mediaType: file?.media_type ?? typeByMagicBytes(bytes.subarray(0, HEAD_BYTES)),
  name: file?.name ?? null,
});

/** Returns the contents of the account's own files, as they are named: by URL, hash or id. */
export const listOwnContents = (contents: Contents): Map<string, Content> =>
  new Map(
    [...contents].flatMap(([{ file, attachment }, content]) => (file ? [[attachment.source!.value, content]] : [])),
  );

interface InlinedMessages {
  messages: unknown[];
  /** The JSON of the messages, by their value; empty if nothing was inlined, or the chat has no text of its own. */
  texts: Map<unknown, Buffer[]>;
}

/**
 * Returns the messages of a chat with its files as data, because a provider may be unable to reach the hub or other servers,
 * and with text files as text.
 */
export async function inlineFiles(
  pace: Pace,
  { input, sent }: Pick<ChatRequest, "input" | "sent">,
  contents: Contents,
): Promise<InlinedMessages> {
  const texts = new Map<unknown, Buffer[]>();
  if (contents.size === 0) return { messages: input.messages, texts };
  const parts: Parts = new Map();
  for (const [{ attachment }, content] of contents)
    parts.set(attachment.place, await runBodyWork(pace, () => withContent(attachment, content)));
  const messages = replaceParts(input.messages, parts);
  const span = sent?.members.get("messages");
  if (sent && span) texts.set(messages, splitText(sent.text, span, await findEdits(pace, sent, parts)));
  return { messages, texts };
}

/** Returns the edits that replace the parts in a chat's text. */
async function findEdits(pace: Pace, { text, members }: SentJson, parts: Parts): Promise<Edit[]> {
  const toPath = (place: string) => place.split(".").slice(1).join(PATH_SEPARATOR);
  const byPath = new Map([...parts].map(([place, part]) => [toPath(place), part]));
  const span = members.get("messages")!;
  const found = await runSlicedBodyWork(pace, () => findValues(text, span, new Set(byPath.keys())));
  const edits: Edit[] = [];
  for (const { path, ...place } of found) {
    const json = await runSlicedBodyWork(pace, () => encodeJson(byPath.get(path)));
    edits.push({ ...place, text: Buffer.from(json.buffer, json.byteOffset, json.byteLength) });
  }
  return edits;
}

const FETCH_TIMEOUT_MS = 15_000;

/** Returns a function that reads the bytes of one chat's files, and reserves memory for all of them. */
function createReader(hub: ChatHub, memory: Reservation, signal: AbortSignal) {
  const known = new Map<string, Buffer>();
  let left = MAX_FILE_BYTES;
  const reserve = (bytes: number) => {
    if (!memory.add(Math.ceil(BASE64_RATIO * bytes))) throw budgetExceeded();
    left -= bytes;
  };

  return async ({ attachment, file }: ChatFile): Promise<Buffer> => {
    const { source, path } = attachment;
    const { value } = source!;
    if (source!.by === "data") {
      reserve(value.length - source!.start);
      return Buffer.from(value.slice(source!.start), "base64");
    }
    // A conversation may name a file in many messages: it is read once, and counts as often as the provider gets it.
    const earlier = known.get(value);
    const size = earlier?.length ?? (file ? Number(file.size) : 0);
    reserve(size);
    if (earlier) return earlier;
    const bytes = file ? await openContent(hub, file).then(buffer) : await fetchFile(value, path);
    known.set(value, bytes);
    return bytes;
  };

  async function fetchFile(url: string, path: string): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    const store = async (content: AsyncIterable<Uint8Array>) => {
      for await (const chunk of content) {
        reserve(chunk.length);
        chunks.push(chunk);
      }
    };
    const request = { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: Math.max(left, 0), signal, store };
    try {
      await fetchOutside(hub, url, request);
    } catch (error) {
      throw error instanceof InputUnavailable ? invalidInput(path, error.message) : error;
    }
    return Buffer.concat(chunks);
  }
}
