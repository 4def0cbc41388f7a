import { consumeRateLimit, type RateLimitBucket, rateLimitedError, toWholeSeconds } from "../../domain/rates";
import type { AppError } from "../../errors";
import { networkOf } from "../../lib/client-address";
import type { RequestContext } from "../request-context";

/** Counts a request against the account's rate limit and sets the rate limit headers (IETF draft). Throws 429. */
export async function limitRate(
  { hub, headers }: RequestContext,
  accountId: number,
  bucket: RateLimitBucket,
): Promise<void> {
  const { name, policy, allowed, remaining, waitMs } = await consumeRateLimit(hub, accountId, bucket);
  headers["RateLimit-Policy"] = policy;
  headers.RateLimit = waitMs > 0 ? `"${name}";r=0;t=${toWholeSeconds(waitMs)}` : `"${name}";r=${remaining}`;
  if (!allowed) throw rateLimitedError(waitMs, `This account has used up its ${name} for now.`);
}

/** Counts a failed authentication against its address. Returns a 429 to send instead of the 401, or null. */
export async function limitFailures({ hub, address }: RequestContext): Promise<AppError | null> {
  // Clients without a known address share one bucket. It delays only failed authentications, never a valid key.
  const { allowed, waitMs } = await hub.services.rateLimits.failures.consume(networkOf(address));
  return allowed ? null : rateLimitedError(waitMs, "Too many failed authentications from this address.");
}
