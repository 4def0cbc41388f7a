import { requireOwnSession } from "@/app/session/caller";
import { getPageApi } from "@/server/hub";

/** Streams the data of the page's chart as CSV. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await requireOwnSession("billing");
  const { ChartInput, createCsvDownload, serveDownload, toUsageQuery, writeUsage } = await getPageApi();
  return serveDownload(ctx, async () => {
    const input = ChartInput.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!input.success) return new Response(input.error.issues[0]!.message, { status: 400 });
    const texts = await writeUsage(ctx.hub, toUsageQuery(ctx, input.data));
    const { content, headers } = createCsvDownload("usage", ctx.hub.now(), texts);
    return new Response(content, { headers });
  });
}
