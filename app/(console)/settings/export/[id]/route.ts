import { Readable } from "node:stream";
import { requireOwnSession } from "@/app/session/caller";
import { getPageApi } from "@/server/hub";

const MAX_BUFFERED_BYTES = 64 * 1024;

/**
 * Streams an archive of the account to one of its owners, or a range of it, so that a browser can resume the download.
 */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const ctx = await requireOwnSession("manage");
  const { getArchive, isAppError, limitDownloads, openArchive, parseByteRange } = await getPageApi();
  const limited = await limitDownloads(ctx);
  if (limited) return limited;
  try {
    const archive = await getArchive(ctx, (await params).id);
    const etag = `"${archive.id}"`;
    const condition = request.headers.get("if-range");
    const isSame = condition === null || condition === etag;
    const range = isSame ? parseByteRange(request.headers.get("range"), archive.size) : null;
    const headers: Record<string, string> = {
      "Accept-Ranges": "bytes",
      "Cache-Control": "private, no-store",
      "Content-Disposition": `attachment; filename="export-${archive.created_at.toISOString().slice(0, 10)}.zip"`,
      "Content-Type": "application/zip",
      ETag: etag,
    };
    if (range === "unsatisfiable")
      return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${archive.size}` } });
    const { start, end } = range ?? { start: 0, end: archive.size - 1 };
    const content = await openArchive(ctx.hub, archive, { start, end });
    headers["Content-Length"] = String(end - start + 1);
    if (range) headers["Content-Range"] = `bytes ${start}-${end}/${archive.size}`;
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES });
    const body = Readable.toWeb(content, { strategy }) as ReadableStream<unknown> as ReadableStream;
    return new Response(body, { status: range ? 206 : 200, headers });
  } catch (error) {
    if (!isAppError(error)) throw error;
    return new Response(error.message, { status: error.status });
  }
}
