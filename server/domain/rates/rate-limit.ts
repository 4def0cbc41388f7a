import { AppError } from "../../errors";
import type { BucketResult } from "../../lib/bucket";
import type { RatesHub } from "./hub";
import type { RateServices } from "./rate-limits";

/** The buckets of an account: calls that read, calls that write, and calls that manage keys. */
export type RateLimitBucket = keyof RateServices["rateLimits"]["calls"];

/** Consumes one call from a bucket that all keys and sessions of the account share. */
export async function consumeRateLimit(
  hub: RatesHub,
  accountId: number,
  bucket: RateLimitBucket,
): Promise<BucketResult & { name: string; policy: string }> {
  const { name, policy, buckets } = hub.services.rateLimits.calls[bucket];
  return { name, policy, ...(await buckets.consume(accountId)) };
}

/** Returns a 429 error whose `Retry-After` is the wait in whole seconds, at least one. */
export const rateLimitedError = (waitMs: number, detail: string): AppError =>
  new AppError("rate_limited", detail, {}, { "Retry-After": String(toWholeSeconds(waitMs)) });

/** Rounds milliseconds up to whole seconds, at least one. */
export const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
