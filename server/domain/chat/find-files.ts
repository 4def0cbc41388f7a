import { buffer } from "node:stream/consumers";
import type { Model } from "../../catalogue/model";
import { type Ctx, runSlicedBodyWork } from "../../context";
import { AppError, invalidInput, isAppError } from "../../errors";
import { checkUrl, isOutboundError, readUrl, type Scheme } from "../../lib/safe-fetch";
import {
  type Attachment,
  checkBase64,
  contentIssue,
  type DataSource,
  decodeHead,
  findAttachments,
  HEAD_BYTES,
  isPdf,
  isTextFile,
  MAX_TEXT_BYTES,
  maxAudioTokens,
  type Medium,
  type Source,
  unsupportedMedium,
} from "../attachments";
import { type FileRow, findByHash, findFile, openContent } from "../files";
import { parseOwnFileUrl, parseSha256Ref } from "../input-files";
import type { ChatHub } from "./hub";

const MAX_FILES = 100;
const MAX_FETCHED = 10;

/** The total bytes of the files that a chat names. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** An attachment whose content the hub inserts into the part before it calls the provider. */
export interface ChatFile {
  attachment: Attachment;
  /** The account's file; null for content that the part has itself, or that an external URL has. */
  file: FileRow | null;
  /** The maximum tokens of its content; null if only the model's context bounds them, or if the part shows them. */
  maxTokens: number | null;
}

/** Returns the maximum tokens of each file whose content bounds them, keyed by the place of its part. */
export const listFileTokens = (files: ChatFile[]): Map<string, number> =>
  new Map(files.flatMap(({ attachment, maxTokens }) => (maxTokens === null ? [] : [[attachment.place, maxTokens]])));

/**
 * Returns the attachments of a chat that the provider gets in another form: the account's own files, files and recordings
 * at external URLs, text files, and data in an unusual form. Throws 410 for an expired file, and 400 for an unknown file,
 * for content that is not what its part says, or that the model does not read, for too many or too large files, and for a
 * URL that is not public.
 */
export async function findFiles(ctx: Ctx<ChatHub>, model: Model, messages: unknown): Promise<ChatFile[]> {
  const attachments = findAttachments(messages);
  if (attachments.length === 0) return [];
  const own = attachments.filter(({ source }) => isOwn(ctx.hub, source));
  const external = attachments.filter(({ source }) => source?.by === "url" && !isOwn(ctx.hub, source));
  const fetched = external.filter(({ medium }) => medium !== "image");
  if (own.length + fetched.length > MAX_FILES) throw invalidInput("messages", `may name at most ${MAX_FILES} files`);
  if (new Set(fetched.map(({ source }) => source!.value)).size > MAX_FETCHED)
    throw invalidInput(fetched[MAX_FETCHED]!.path, `exceeds the limit of ${MAX_FETCHED} files at URLs`);
  // A `file` may be text, which every model reads; its type is known only once it is fetched.
  for (const { path } of fetched.filter(({ medium }) => medium === "audio"))
    throwIssue(path, unsupportedMedium(model, "audio"));
  const lookUp = createLookUp(ctx);
  const files = await Promise.all(own.map((attachment) => findOwnFile(ctx, model, attachment, lookUp)));
  if (sumSizes(files) > MAX_FILE_BYTES)
    throw invalidInput("messages", `may name files of at most ${MAX_FILE_BYTES} bytes in total`);
  if (sumSizes(files.filter(({ isText }) => isText)) > MAX_TEXT_BYTES)
    throw invalidInput("messages", `may name text files of at most ${MAX_TEXT_BYTES} bytes in total`);
  await checkUrls(ctx.hub, external);
  const changed = await checkData(ctx, attachments);
  return [...files, ...[...fetched, ...changed].map((attachment) => ({ attachment, file: null, maxTokens: null }))];
}

const isOwn = (hub: ChatHub, source: Attachment["source"]): boolean =>
  source?.by === "id" || source?.by === "hash" || (source?.by === "url" && parseOwnFileUrl(hub, source.value) !== null);

const sumSizes = (files: { file: FileRow }[]): number => files.reduce((sum, { file }) => sum + Number(file.size), 0);

function throwIssue(path: string, issue: string | null): void {
  if (issue !== null) throw invalidInput(path, issue);
}

type LookUp = (attachment: Attachment) => Promise<FileRow>;

async function findOwnFile(ctx: Ctx<ChatHub>, model: Model, attachment: Attachment, lookUp: LookUp) {
  const { path, medium } = attachment;
  try {
    const file = await lookUp(attachment);
    throwIssue(path, contentIssue(medium, file.media_type));
    const isText = medium === "file" && isTextFile(file.media_type);
    throwIssue(path, isText ? null : unsupportedMedium(model, medium));
    return { attachment, file, isText, maxTokens: await maxFileTokens(ctx.hub, attachment, file) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === "file_expired") throw new AppError("file_expired", `${path}: the file has expired.`);
    throw error.code === "resource_not_found" ? invalidInput(path, "names no file of this account") : error;
  }
}

/** Returns a look-up of own files that queries each file once: a conversation may name it in many messages. */
function createLookUp(ctx: Ctx<ChatHub>): LookUp {
  const files = new Map<string, Promise<FileRow>>();
  return ({ source }) => {
    const { value } = source!;
    const file = files.get(value) ?? readOwnFile(ctx, source!);
    files.set(value, file);
    return file;
  };
}

function readOwnFile(ctx: Ctx<ChatHub>, { by, value }: Source): Promise<FileRow> {
  if (by === "hash") return findByHash(ctx.hub, ctx.account.id, parseSha256Ref(value)!);
  return findFile(ctx, by === "id" ? value : parseOwnFileUrl(ctx.hub, value)!);
}

/** Returns the maximum tokens of a file's content; null if only the model's context bounds them. */
async function maxFileTokens(hub: ChatHub, { medium }: Attachment, file: FileRow): Promise<number | null> {
  if (medium === "image") return null;
  if (medium === "file")
    return isTextFile(file.media_type) ? Number(file.size) + Buffer.byteLength(file.name ?? "") : null;
  const size = Number(file.size);
  const head = await buffer(await openContent(hub, file, { start: 0, end: Math.min(HEAD_BYTES, size) - 1 }));
  const tokens = maxAudioTokens(head, size);
  return tokens === Infinity ? null : tokens;
}

/** Throws 400 for data that is not base64. Returns the attachments whose data providers get in another form. */
async function checkData(ctx: Ctx<ChatHub>, attachments: Attachment[]): Promise<Attachment[]> {
  const changed: Attachment[] = [];
  for (const attachment of attachments) {
    const { source, medium, path } = attachment;
    if (source?.by !== "data" || medium === "image") continue;
    const isBase64 = await runSlicedBodyWork(ctx, () => checkBase64(source));
    throwIssue(path, isBase64 ? null : "must be base64 without spaces and line breaks");
    if (!isInProviderForm(medium, source)) changed.push(attachment);
  }
  return changed;
}

/** Returns whether data already has the form that OpenAI's API expects: bare base64 for audio, a data: URL for a PDF. */
const isInProviderForm = (medium: Medium, source: DataSource): boolean =>
  medium === "audio"
    ? source.start === 0
    : PDF_URL.test(source.value.slice(0, source.start)) && isPdf(decodeHead(source));

const PDF_URL = /^data:application\/pdf;base64,$/i;

const MAX_HOSTS = 10;
const schemes: Scheme[] = ["https:", "http:"];

/**
 * Throws 400 with the attachment's path when its URL is not public: the provider would fetch it, and may run in the
 * operator's network. The provider decides about a host name that does not resolve here.
 */
async function checkUrls({ env }: ChatHub, attachments: Attachment[]): Promise<void> {
  const origins = new Map<string, Attachment>();
  for (const attachment of attachments) {
    const { origin } = parseUrl(attachment);
    if (!origins.has(origin)) origins.set(origin, attachment);
    if (origins.size > MAX_HOSTS)
      throw invalidInput(attachment.path, `exceeds the limit of ${MAX_HOSTS} different hosts`);
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
function parseUrl({ path, source }: Attachment): URL {
  try {
    return readUrl(source!.value, schemes);
  } catch (error) {
    throw isOutboundError(error) ? invalidInput(path, error.message) : error;
  }
}
