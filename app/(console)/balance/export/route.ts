import { requireOwnSession } from "@/app/session/caller";
import { rateLimitedError, consumeRateLimit } from "@/server/domain/rates/rate-limit";
import { writeStatement, parseStatementFilters, StatementFilters } from "@/server/domain/ledger/write-statement";

/** Streams the statement as CSV, with the filters of the page. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await requireOwnSession("billing");
  const { allowed, waitMs } = await consumeRateLimit(ctx.hub, ctx.account.id, "read");
  if (!allowed)
    return toResponse(rateLimitedError(waitMs, "This account has reached its read limit. Try again shortly."));
  const query = StatementFilters.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success) return new Response(query.error.issues[0]!.message, { status: 400 });
  const chunks = writeStatement(ctx, parseStatementFilters(query.data));
  const name = `statement-${ctx.hub.now().toISOString().slice(0, 10)}.csv`;
  return new Response(toStream(chunks), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

/** Produces the next chunk only when the client has read the last one. */
const toStream = (chunks: AsyncGenerator<string>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await chunks.next();
      if (chunk.done) controller.close();
      else controller.enqueue(new TextEncoder().encode(chunk.value));
    },
    cancel: async () => void (await chunks.return(undefined)),
  });

const toResponse = ({ message, status, headers }: ReturnType<typeof rateLimitedError>) =>
  new Response(message, { status, headers });
