import { type FileRow, getThumbnail, openContent, type ThumbnailWidth } from "../domain/files";
import type { Hub } from "../domain/hub";
import { readRange, serveRange, streamBytes } from "./byte-range";
import { matchesEtag } from "./etag";
import type { ImmediateResult } from "./operation";

const INLINE_TYPE = /^(image|audio|video)\//;
/** Types such as SVG, which can run scripts: a bucket sends no Content-Security-Policy. */
const ACTIVE_TYPE = /[/+]xml$/;
/** Lifetime of a link to the bucket, which needs no other credential. */
const LINK_SECONDS = 60;

/**
 * Returns the content of a file, one range of it, or 304 if the caller has it already (RFC 9110, sections 13 and 14). With
 * `FILES_REDIRECT=on`, redirects to the bucket instead, which handles the range itself.
 */
export async function serveContent(hub: Hub, file: FileRow, request: Request, { canRedirect = true } = {}) {
  const etag = `"${file.sha256.toString("hex")}"`;
  const size = Number(file.size);
  const headers = { ...contentHeaders(file.media_type, file.name), ETag: etag };
  if (matchesEtag(request.headers.get("if-none-match"), etag)) return { status: 304, headers, content: null };

  const range = readRange(request, etag, size);
  const location = request.method === "HEAD" || !canRedirect ? null : await findRedirect(hub, file);
  if (location !== null)
    return { status: 302, headers: { Location: location, "Cache-Control": "private, no-store" }, content: null };
  return serveRange(request, range, { size, headers, open: (part) => openContent(hub, file, part) });
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

/** Returns the content of a file as a stream. */
export const streamFile = async (hub: Hub, file: FileRow) => streamBytes(await openContent(hub, file));

/** Returns the header `Content-Disposition` (RFC 6266), with the file's name if it has one. */
export function contentDisposition(type: "inline" | "attachment", name: string | null): string {
  if (name === null) return type;
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const header = `${type}; filename="${ascii}"`;
  return ascii === name ? header : `${header}; filename*=UTF-8''${encodeName(name)}`;
}

const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
