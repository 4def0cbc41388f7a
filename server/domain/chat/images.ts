import { buffer } from "node:stream/consumers";
import { type Ctx, runSlicedBodyWork } from "../../context";
import { AppError, invalidInput, isAppError } from "../../errors";
import { checkUrl, isOutboundError, readUrl, type Scheme } from "../../lib/safe-fetch";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import { type Edit, readString, type Span, splitText } from "../../lib/json/sent-json";
import { findStrings, PATH_SEPARATOR } from "../../lib/json/walk-text";
import { type FileRow, findByHash, findFile, openContent } from "../files";
import { parseOwnFileUrl, parseSha256Ref } from "../input-files";
import { findImageParts, type ImagePart, replaceImageUrls } from "../model-inputs";
import type { ChatHub } from "./hub";
import type { ChatRequest } from "./request";

const MAX_FILES = 100;
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Returns the account's own files among a chat's images, by the URL that the chat uses. Throws 410 for an expired file, and
 * 400 for an unknown file, for one that is not an image, for too many or too large files, and for an external image URL that
 * is not public.
 */
export async function findImages(ctx: Ctx<ChatHub>, messages: unknown): Promise<Map<string, FileRow>> {
  const own = new Map<string, ImagePart>();
  const external: ImagePart[] = [];
  for (const image of findImageParts(messages)) {
    if (parseSha256Ref(image.url) !== null || parseOwnFileUrl(ctx.hub, image.url) !== null) own.set(image.url, image);
    else if (/^https?:/i.test(image.url)) external.push(image);
  }
  if (own.size > MAX_FILES) throw invalidInput("messages", `may name at most ${MAX_FILES} files`);
  const files = await Promise.all([...own].map(async ([url, image]) => [url, await findImage(ctx, image)] as const));
  const bytes = files.reduce((sum, [, { size }]) => sum + Number(size), 0);
  if (bytes > MAX_BYTES) throw invalidInput("messages", `may name files of at most ${MAX_BYTES} bytes in total`);
  await checkExternalImages(ctx.hub, external);
  return new Map(files);
}

async function findImage(ctx: Ctx<ChatHub>, { path, url }: ImagePart): Promise<FileRow> {
  try {
    const hash = parseSha256Ref(url);
    const file = hash
      ? await findByHash(ctx.hub, ctx.account.id, hash)
      : await findFile(ctx, parseOwnFileUrl(ctx.hub, url)!);
    if (!file.media_type.startsWith("image/")) throw invalidInput(path, `is ${file.media_type}, not an image`);
    return file;
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === "file_expired") throw new AppError("file_expired", `${path}: the file has expired.`);
    throw error.code === "resource_not_found" ? invalidInput(path, "names no file of this account") : error;
  }
}

const MAX_HOSTS = 10;
const schemes: Scheme[] = ["https:", "http:"];

/**
 * Throws 400 with the image's path when an image URL is not public: the provider would fetch it, and may run in the
 * operator's network. The provider decides about a host name that does not resolve here.
 */
async function checkExternalImages({ env }: ChatHub, images: ImagePart[]): Promise<void> {
  const origins = new Map<string, ImagePart>();
  for (const image of images) {
    const { origin } = parseImageUrl(image);
    if (!origins.has(origin)) origins.set(origin, image);
    if (origins.size > MAX_HOSTS) throw invalidInput(image.path, `exceeds the limit of ${MAX_HOSTS} different hosts`);
  }
  const checks = [...origins].map(([origin, { path }]) =>
    checkUrl(origin, { schemes, allowHosts: env.OUTBOUND_ALLOW_HOSTS }).catch((error: unknown) => {
      if (!isOutboundError(error)) throw error;
      if (error.reason === "refused_address") throw invalidInput(path, error.message);
    }),
  );
  await Promise.all(checks);
}

// Every URL is parsed, even if its host was already checked, because parsers disagree on malformed URLs.
function parseImageUrl({ path, url }: ImagePart): URL {
  try {
    return readUrl(url, schemes);
  } catch (error) {
    throw isOutboundError(error) ? invalidInput(path, error.message) : error;
  }
}

/** Base64 characters per byte. */
const BASE64_RATIO = 4 / 3;

interface InlinedMessages {
  messages: unknown[];
  /** The JSON of the messages, by their value; empty if nothing was inlined, or the chat has no text of its own. */
  texts: Map<unknown, Buffer[]>;
}

/**
 * Returns the messages of a chat with the account's own files as data URLs, because a provider may be unable to reach the
 * hub. Throws when the memory budget does not allow it.
 */
export async function inlineImages(
  pace: Pick<Ctx<ChatHub>, "hub" | "isLarge">,
  { input, sent, files }: Pick<ChatRequest, "input" | "sent" | "files">,
  memory: Reservation,
): Promise<InlinedMessages> {
  const texts = new Map<unknown, Buffer[]>();
  if (files.size === 0) return { messages: input.messages, texts };
  const contents = await readContents(pace.hub, files, memory);
  const messages = replaceImageUrls(input.messages, (url) => contents.get(url));
  const span = sent?.members.get("messages");
  if (sent && span) {
    const edits = await findImageEdits(pace, { text: sent.text, span, messages: input.messages }, contents);
    texts.set(messages, splitText(sent.text, span, edits));
  }
  return { messages, texts };
}

async function readContents(
  hub: ChatHub,
  files: Map<string, FileRow>,
  memory: Reservation,
): Promise<Map<string, string>> {
  const bytes = [...files.values()].reduce((sum, { size }) => sum + Number(size), 0);
  if (!memory.add(Math.ceil(BASE64_RATIO * bytes))) throw budgetExceeded();
  const contents = new Map<string, string>();
  for (const [url, file] of files) {
    const content = await buffer(await openContent(hub, file));
    contents.set(url, `data:${file.media_type};base64,${content.toString("base64")}`);
  }
  return contents;
}

interface MessagesText {
  text: Buffer;
  span: Span;
  messages: unknown[];
}

/** Returns the edits that replace the image URLs in a chat's text with the contents. */
async function findImageEdits(
  pace: Pick<Ctx<ChatHub>, "hub" | "isLarge">,
  { text, span, messages }: MessagesText,
  contents: Map<string, string>,
): Promise<Edit[]> {
  const paths = new Set<string>();
  for (const { path, url } of findImageParts(messages)) {
    if (!contents.has(url)) continue;
    const steps = path.split(".").slice(1);
    paths.add(steps.join(PATH_SEPARATOR)).add([...steps, "url"].join(PATH_SEPARATOR));
  }
  const found = await runSlicedBodyWork(pace, () => findStrings(text, span, paths));
  return found.flatMap((place) => {
    const content = contents.get(readString(text, place));
    return content === undefined ? [] : [{ ...place, text: Buffer.from(JSON.stringify(content)) }];
  });
}
