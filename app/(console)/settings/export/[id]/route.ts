import { requireOwnSession } from "@/app/session/caller";
import { getPageApi } from "@/server/hub";

/** Streams an archive of the account, or a range of it, to one of its owners. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const ctx = await requireOwnSession("manage");
  const { serveArchive, serveDownload } = await getPageApi();
  return serveDownload(ctx, async () => serveArchive(ctx, (await params).id, request));
}
