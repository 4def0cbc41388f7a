import type { Hub } from "../../context";
import type { BucketResult } from "../../lib/bucket";

/** Which bucket of the account a call is taken from: what reads, what changes something, and the handling of keys. */
export type RateLimitBucket = keyof Hub["rateLimits"]["calls"];

/** Takes one call out of a bucket of the account, which all its keys and sessions share. */
export function consumeRateLimit(
  hub: Hub,
  accountId: number,
  cost: RateLimitBucket,
): BucketResult & { name: string; policy: string } {
  const { name, policy, buckets } = hub.rateLimits.calls[cost];
  const { allowed, remaining, waitMs } = buckets.consume(accountId, hub.now().getTime());
  return { name, policy, allowed, remaining, waitMs };
}
