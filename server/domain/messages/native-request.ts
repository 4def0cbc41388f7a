import { buffer } from "node:stream/consumers";
import type { Ctx } from "../../context";
import { AppError, invalidInput, isAppError } from "../../errors";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import { isObject } from "../../lib/is-object";
import type { NativeRequest } from "../chat";
import { type FileRow, findByHash, findFile, openContent } from "../files";
import { parseOwnFileUrl, parseSha256Ref } from "../input-files";
import type { MessagesHub } from "./hub";
import { isAnthropicSignature } from "./thinking";
import type { Json } from "./translation";
import type { MessagesBody } from "./translate-request";

const MAX_FILES = 100;
const MAX_BYTES = 32 * 1024 * 1024;
const BASE64_RATIO = 4 / 3;

/**
 * Returns a request for routes that speak Messages: the client's own object, without thinking that Anthropic has not signed,
 * and with the content of the account's own files. Throws 400 and 410 for files that it cannot read.
 */
export async function buildNativeRequest(
  ctx: Ctx<MessagesHub>,
  body: MessagesBody,
  headers: Record<string, string>,
  memory: Reservation,
): Promise<NativeRequest> {
  const sources = listOwnSources(ctx, body.messages);
  const contents = await readContents(ctx, sources, memory);
  const messages = replaceBlocks(body.messages, contents);
  if (messages === body.messages) return { body, sent: ctx.sent ?? null, headers };
  return { body: { ...body, messages }, sent: null, headers };
}

interface OwnSource {
  url: string;
  place: string;
}

/** Returns the pictures and documents of messages that are files of the account, also those in results of tools. */
function listOwnSources({ hub }: Ctx<MessagesHub>, messages: unknown): OwnSource[] {
  const own: OwnSource[] = [];
  const addFrom = (content: unknown, place: string) => {
    if (!Array.isArray(content)) return;
    for (const [index, block] of content.entries()) {
      if (!isObject(block)) continue;
      const { source } = block;
      const url = isObject(source) && source.type === "url" && typeof source.url === "string" ? source.url : "";
      if (parseSha256Ref(url) !== null || parseOwnFileUrl(hub, url) !== null)
        own.push({ url, place: `${place}.${index}.source.url` });
      addFrom(block.content, `${place}.${index}.content`);
    }
  };
  for (const [index, message] of (messages as unknown[]).entries())
    if (isObject(message)) addFrom(message.content, `messages.${index}.content`);
  return own;
}

/** Returns the sources by the URL of their file. */
async function readContents(
  ctx: Ctx<MessagesHub>,
  sources: OwnSource[],
  memory: Reservation,
): Promise<Map<string, Json>> {
  const placesByUrl = new Map(sources.map(({ url, place }) => [url, place]));
  if (placesByUrl.size > MAX_FILES) throw invalidInput("messages", `may name at most ${MAX_FILES} files`);
  const files: [string, FileRow][] = [];
  for (const [url, place] of placesByUrl) files.push([url, await findOwnFile(ctx, url, place)]);
  const bytes = files.reduce((sum, [, { size }]) => sum + Number(size), 0);
  if (bytes > MAX_BYTES) throw invalidInput("messages", `may name files of at most ${MAX_BYTES} bytes in total`);
  if (!memory.add(Math.ceil(BASE64_RATIO * bytes))) throw budgetExceeded();
  const contents = new Map<string, Json>();
  for (const [url, file] of files) {
    const data = (await buffer(await openContent(ctx.hub, file))).toString("base64");
    contents.set(url, { type: "base64", media_type: file.media_type, data });
  }
  return contents;
}

async function findOwnFile(ctx: Ctx<MessagesHub>, url: string, place: string): Promise<FileRow> {
  const hash = parseSha256Ref(url);
  try {
    return hash ? await findByHash(ctx.hub, ctx.account.id, hash) : await findFile(ctx, parseOwnFileUrl(ctx.hub, url)!);
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === "file_expired") throw new AppError("file_expired", `${place}: the file has expired.`);
    throw error.code === "resource_not_found" ? invalidInput(place, "names no file of this account") : error;
  }
}

/** Returns the messages with their blocks replaced; the same list if there is nothing to replace. */
function replaceBlocks(messages: unknown, contents: Map<string, Json>): unknown {
  return mapList(messages, (message) => withMember(message, "content", (content) => replaceContent(content, contents)));
}

const replaceContent = (content: unknown, contents: Map<string, Json>): unknown =>
  mapList(content, (block) => {
    if (!isObject(block)) return block;
    if (block.type === "thinking" && !isAnthropicSignature(block.signature)) return undefined;
    const withSource = withMember(block, "source", (source) => {
      const url = isObject(source) && source.type === "url" ? source.url : undefined;
      return (typeof url === "string" && contents.get(url)) || source;
    });
    return withMember(withSource, "content", (inner) => replaceContent(inner, contents));
  });

/** Returns a list with its items replaced, without those replaced by undefined; the same list if none is. */
function mapList(list: unknown, replace: (item: unknown) => unknown): unknown {
  if (!Array.isArray(list)) return list;
  const replaced = list.map(replace);
  return replaced.every((item, index) => item === list[index]) ? list : replaced.filter((item) => item !== undefined);
}

function withMember(owner: unknown, name: string, replace: (value: unknown) => unknown): unknown {
  if (!isObject(owner) || !Object.hasOwn(owner, name)) return owner;
  const value = replace(owner[name]);
  return value === owner[name] ? owner : { ...owner, [name]: value };
}
