import {
  rateLimitedError,
  toWholeSeconds,
  type RateLimitBucket,
  consumeRateLimit,
} from "../../domain/rates/rate-limit";
import type { AppError } from "../../errors";
import { toNetwork } from "../../lib/network";
import type { RequestContext } from "../request-context";

/** Takes one call from the account's bucket and says so in the answer's headers (IETF draft), or 429. */
export function limitRate({ hub, headers }: RequestContext, accountId: number, cost: RateLimitBucket): void {
  const { name, policy, allowed, remaining, waitMs } = consumeRateLimit(hub, accountId, cost);
  headers["RateLimit-Policy"] = policy;
  headers.RateLimit = waitMs > 0 ? `"${name}";r=0;t=${toWholeSeconds(waitMs)}` : `"${name}";r=${remaining}`;
  if (!allowed) throw rateLimitedError(waitMs, `This account has used up its ${name} for now.`);
}

/** Counts a failed authentication against its address; the error that answers it, 429 in place of the 401 or none. */
export function limitFailures({ hub, address }: RequestContext): AppError | null {
  // Callers whose address is unknown share one bucket: a valid key is never held up by it.
  const key = address === null ? "unknown" : toNetwork(address);
  const { allowed, waitMs } = hub.rateLimits.failures.consume(key, hub.now().getTime());
  return allowed ? null : rateLimitedError(waitMs, "Too many failed authentications from this address.");
}
