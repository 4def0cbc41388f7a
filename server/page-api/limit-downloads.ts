import type { Ctx } from "../context";
import type { Hub } from "../domain/hub";
import { consumeRateLimit, rateLimitedError } from "../domain/rates";

/** Counts a download against the account's limit for reads. Returns the response to one above it; otherwise null. */
export async function limitDownloads({ hub, account }: Ctx<Hub>): Promise<Response | null> {
  const { allowed, waitMs } = await consumeRateLimit(hub, account.id, "read");
  if (allowed) return null;
  const error = rateLimitedError(waitMs, "This account has reached its read limit. Try again shortly.");
  return new Response(error.message, { status: error.status, headers: error.headers });
}
