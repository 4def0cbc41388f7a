import { requireOwnSession } from "@/app/session/caller";
import { getPageApi } from "@/server/hub";
import { isId } from "@/server/lib/id";
import type { Session } from "@/server/trpc/procedure";
import { zipOutputs } from "./zip-outputs";

const MAX_GENERATIONS = 100;
const MAX_FILES = 500;
const MAX_BYTES = 4n * 1024n ** 3n;
const UUID_LENGTH = 36;

/** Streams the outputs of up to 100 generations of the account as a ZIP archive: at most 500 files and 4 GiB. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await requireOwnSession("read");
  const { serveDownload } = await getPageApi();
  return serveDownload(ctx, () => zipGenerations(ctx, request));
}

async function zipGenerations(ctx: Session, request: Request): Promise<Response> {
  const { listOutputs } = await getPageApi();
  const text = new URL(request.url).searchParams.get("ids") ?? "";
  const ids = text.length <= MAX_GENERATIONS * (UUID_LENGTH + 1) ? text.split(",") : [];
  if (ids.length === 0 || ids.length > MAX_GENERATIONS || !ids.every(isId))
    return new Response(`ids must be 1 to ${MAX_GENERATIONS} generation IDs, separated by commas.`, {
      status: 400,
    });
  const outputs = await listOutputs(ctx, ids, MAX_FILES + 1);
  if (outputs.length === 0) return new Response("These generations have no outputs.", { status: 404 });
  const bytes = outputs.reduce((sum, { size }) => sum + size, 0n);
  if (outputs.length > MAX_FILES || bytes > MAX_BYTES)
    return new Response(`An archive has at most ${MAX_FILES} files and 4 GiB. Select fewer.`, { status: 413 });
  const { content, length } = zipOutputs(ctx.hub, outputs);
  const name = `generations-${ctx.hub.now().toISOString().slice(0, 10)}.zip`;
  return new Response(content, {
    headers: {
      "Content-Type": "application/zip",
      "Content-Length": String(length),
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}
