import { requireOwnSession } from "@/app/session/caller";
import { getPageApi } from "@/server/hub";

/** Streams the statement as CSV, with the filters of the page. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await requireOwnSession("billing");
  const { createCsvDownload, parseStatementFilters, serveDownload, StatementFilters, writeStatement } =
    await getPageApi();
  return serveDownload(ctx, async () => {
    const query = StatementFilters.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!query.success) return new Response(query.error.issues[0]!.message, { status: 400 });
    const texts = writeStatement(ctx, parseStatementFilters(query.data));
    const { content, headers } = createCsvDownload("statement", ctx.hub.now(), texts);
    return new Response(content, { headers });
  });
}
