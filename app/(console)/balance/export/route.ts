import { requireOwnSession } from "@/app/session/caller";
import { getPageApi } from "@/server/hub";

/** Streams the statement as CSV, with the filters of the page. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await requireOwnSession("billing");
  const { limitDownloads, parseStatementFilters, StatementFilters, streamTexts, writeStatement } = await getPageApi();
  const limited = await limitDownloads(ctx);
  if (limited) return limited;
  const query = StatementFilters.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success) return new Response(query.error.issues[0]!.message, { status: 400 });
  const chunks = writeStatement(ctx, parseStatementFilters(query.data));
  const name = `statement-${ctx.hub.now().toISOString().slice(0, 10)}.csv`;
  return new Response(streamTexts(chunks), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}
