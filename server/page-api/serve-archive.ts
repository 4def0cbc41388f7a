import { readRange, serveRange } from "../api/byte-range";
import type { Ctx } from "../context";
import { getArchive, openArchive } from "../domain/exports";
import type { Hub } from "../domain/hub";

/** Returns an archive of the account, or a range of it, so that a browser can resume the download. */
export async function serveArchive(ctx: Ctx<Hub>, id: string, request: Request): Promise<Response> {
  const archive = await getArchive(ctx, id);
  const { size, created_at: createdAt } = archive;
  const etag = `"${archive.id}"`;
  const { content, ...rest } = await serveRange(request, readRange(request, etag, size), {
    size,
    headers: {
      "Cache-Control": "private, no-store",
      "Content-Disposition": `attachment; filename="export-${createdAt.toISOString().slice(0, 10)}.zip"`,
      "Content-Type": "application/zip",
      ETag: etag,
    },
    open: (range = { start: 0, end: size - 1 }) => openArchive(ctx.hub, archive, range),
  });
  return new Response(content, rest);
}
