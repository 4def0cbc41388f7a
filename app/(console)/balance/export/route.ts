import { requireSession } from "@/app/session/current";
import { rateLimitedError } from "@/server/domain/rates/rate-limited-error";
import { consumeRateLimit } from "@/server/domain/rates/consume-rate-limit";
import { readStatementFilters, StatementFilters } from "@/server/domain/ledger/statement-filters";
import { writeStatement } from "@/server/domain/ledger/write-statement";

/** The statement as a file, with the filters of the page; as long as the history is, it is streamed. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await requireSession();
  const { allowed, waitMs } = consumeRateLimit(ctx.hub, ctx.account.id, "read");
  if (!allowed) return refuse(rateLimitedError(waitMs, "This account has reached its read limit. Try again shortly."));
  const asked = StatementFilters.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!asked.success) return new Response(asked.error.issues[0]!.message, { status: 400 });
  const parts = writeStatement(ctx, readStatementFilters(asked.data));
  const name = `statement-${ctx.now().toISOString().slice(0, 10)}.csv`;
  return new Response(toStream(parts), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

/** Writes on only when what was written is read. */
const toStream = (parts: AsyncGenerator<string>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await parts.next();
      if (part.done) controller.close();
      else controller.enqueue(new TextEncoder().encode(part.value));
    },
    cancel: async () => void (await parts.return(undefined)),
  });

const refuse = ({ message, status, headers }: ReturnType<typeof rateLimitedError>) =>
  new Response(message, { status, headers });
