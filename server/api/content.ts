import { Readable } from "node:stream";
import { type FileRow, getThumbnail, openContent, type ThumbnailWidth } from "../domain/files";
import type { Hub } from "../domain/hub";
import { AppError } from "../errors";
import { matchesEtag } from "./etag";
import type { ImmediateResult } from "./operation";

const INLINE_TYPE = /^(image|audio|video)\//;
/** Types such as SVG, which can run scripts: a bucket sends no Content-Security-Policy. */
const ACTIVE_TYPE = /[/+]xml$/;
const MAX_BUFFERED_BYTES = 64 * 1024;
/** Lifetime of a link to the bucket, which needs no other credential. */
const LINK_SECONDS = 60;

/**
 * Returns the content of a file, one range of it, or 304 if the caller has it already (RFC 9110, sections 13 and 14). With
 * `FILES_REDIRECT=on`, redirects to the bucket instead, which handles the range itself.
 */
export async function serveContent(
  hub: Hub,
  file: FileRow,
  { method, headers: requestHeaders }: Request,
): Promise<ImmediateResult> {
  const etag = `"${file.sha256.toString("hex")}"`;
  const size = Number(file.size);
  const headers: Record<string, string> = {
    ...contentHeaders(file.media_type, file.name),
    ETag: etag,
    "Accept-Ranges": "bytes",
  };
  if (matchesEtag(requestHeaders.get("if-none-match"), etag)) return { status: 304, headers, content: null };

  const ignoresRange = method === "HEAD" || !isSameContent(requestHeaders.get("if-range"), etag);
  const range = ignoresRange ? null : parseByteRange(requestHeaders.get("range"), size);
  if (range === "unsatisfiable") {
    throw new AppError(
      "range_not_satisfiable",
      `The file has ${size} bytes.`,
      {},
      { "Content-Range": `bytes */${size}` },
    );
  }
  const location = method === "HEAD" ? null : await findRedirect(hub, file);
  if (location !== null)
    return { status: 302, headers: { Location: location, "Cache-Control": "private, no-store" }, content: null };
  headers["Content-Length"] = String(range ? range.end - range.start + 1 : size);
  if (range) headers["Content-Range"] = `bytes ${range.start}-${range.end}/${size}`;
  const content = method === "HEAD" ? null : await streamFile(hub, file, range ?? undefined);
  return { status: range ? 206 : 200, headers, content };
}

/** Returns a result that calls `onSent` once all of the content was sent; never for a range, a redirect or no content. */
export function onSentWhole(result: ImmediateResult, onSent: () => void): ImmediateResult {
  const status = result.status ?? 200;
  if (status !== 200 || !("content" in result) || !(result.content instanceof ReadableStream)) return result;
  return { ...result, content: result.content.pipeThrough(new TransformStream({ flush: onSent })) };
}

/** Returns the URL of the content at the bucket; null if the hub sends it. */
async function findRedirect({ storage, env }: Hub, { id, media_type: type, name }: FileRow): Promise<string | null> {
  if (!storage.direct || env.FILES_REDIRECT === "off") return null;
  const isInline = INLINE_TYPE.test(type) && !ACTIVE_TYPE.test(type);
  const disposition = contentDisposition(isInline ? "inline" : "attachment", name);
  return storage.direct.signDownload(id, { type, disposition }, LINK_SECONDS);
}

/**
 * Returns the thumbnail of a picture, or 304 if the caller has it already. Thumbnails are small, so ranges are ignored. The
 * ETag is weak, because a regenerated thumbnail may have other bytes.
 */
export async function serveThumbnail(
  hub: Hub,
  file: FileRow,
  width: ThumbnailWidth,
  { method, headers: requestHeaders }: Request,
): Promise<ImmediateResult> {
  const etag = `"${file.sha256.toString("hex")}-w${width}"`;
  const headers: Record<string, string> = { ...contentHeaders("image/webp", null), ETag: `W/${etag}` };
  if (matchesEtag(requestHeaders.get("if-none-match"), etag)) return { status: 304, headers, content: null };
  const thumbnail = await getThumbnail(hub, file, width);
  headers["Content-Length"] = String(thumbnail.length);
  return { headers, content: method === "HEAD" ? null : new Uint8Array(thumbnail) };
}

const contentHeaders = (mediaType: string, name: string | null) => ({
  "Cache-Control": "private",
  "Content-Type": mediaType,
  "Content-Disposition": contentDisposition(INLINE_TYPE.test(mediaType) ? "inline" : "attachment", name),
  "Content-Security-Policy": "sandbox; default-src 'none'",
});

/**
 * Returns the content of a file, or a range of it, as a stream. Its queue is limited by bytes, so that a slow client pauses
 * the read from storage instead of filling memory.
 */
export async function streamFile(hub: Hub, file: FileRow, range?: ByteRange) {
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES });
  return Readable.toWeb(await openContent(hub, file, range), { strategy }) as ReadableStream<unknown> as ReadableStream;
}

const isSameContent = (condition: string | null, etag: string): boolean =>
  condition === null || condition.trim() === etag;

/** Positions of the first and last byte, inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the range that a Range header requests of `size` bytes (RFC 9110, section 14). Returns null, for the whole
 * content, without a header, for several ranges and for a malformed one; `unsatisfiable` if the range starts past the end.
 */
export function parseByteRange(header: string | null, size: number): ByteRange | null | "unsatisfiable" {
  const match = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i.exec(header ?? "");
  if (!match) return null;
  const [, first = "", last = ""] = match;
  if (first === "") {
    if (last === "") return null;
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "unsatisfiable" : { start, end };
}

/** Returns the header `Content-Disposition` (RFC 6266), with the file's name if it has one. */
export function contentDisposition(type: "inline" | "attachment", name: string | null): string {
  if (name === null) return type;
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const header = `${type}; filename="${ascii}"`;
  return ascii === name ? header : `${header}; filename*=UTF-8''${encodeName(name)}`;
}

const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
