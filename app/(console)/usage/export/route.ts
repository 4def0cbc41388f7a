import { requireOwnSession } from "@/app/session/caller";
import { getPageApi } from "@/server/hub";

/** Streams what the page draws as CSV. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await requireOwnSession("billing");
  const { ChartInput, createCsvDownload, isAppError, limitDownloads, toUsageQuery, writeUsage } = await getPageApi();
  const limited = await limitDownloads(ctx);
  if (limited) return limited;
  const input = ChartInput.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!input.success) return new Response(input.error.issues[0]!.message, { status: 400 });
  try {
    const texts = await writeUsage(ctx.hub, toUsageQuery(ctx, input.data));
    const { content, headers } = createCsvDownload("usage", ctx.hub.now(), texts);
    return new Response(content, { headers });
  } catch (error) {
    if (!isAppError(error)) throw error;
    return new Response(error.message, { status: error.status, headers: error.headers });
  }
}
