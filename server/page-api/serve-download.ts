import type { Ctx } from "../context";
import type { Hub } from "../domain/hub";
import { consumeRateLimit, rateLimitedError } from "../domain/rates";
import { isAppError } from "../errors";

/**
 * Counts a download against the account's limit for reads, and returns the response of `work`. Browsers open downloads as
 * pages, so an error is a response with its message.
 */
export async function serveDownload({ hub, account }: Ctx<Hub>, work: () => Promise<Response>): Promise<Response> {
  try {
    const { allowed, waitMs } = await consumeRateLimit(hub, account.id, "read");
    if (!allowed) throw rateLimitedError(waitMs, "This account has reached its read limit. Try again shortly.");
    return await work();
  } catch (error) {
    if (!isAppError(error)) throw error;
    return new Response(error.message, { status: error.status, headers: error.headers });
  }
}
