import type { Device } from "../../lib/device-token";
import { toNetwork } from "../../lib/client-address";
import type { RatesHub } from "./hub";
import type { SharedBuckets } from "./shared-buckets";
import { AppError } from "../../errors";
import type { BucketResult } from "../../lib/bucket";
import { toWholeSeconds } from "../../lib/rate-view";
import type { RateServices } from "./rate-limits";

/** A bucket in which failed attempts are counted. */
interface FailureCounter {
  buckets: SharedBuckets<string>;
  key: string;
}

// Keys are kept in memory, so the length of what a caller sends is limited.
const MAX_KEY_LENGTH = 254;

/**
 * Returns the counter for failed attempts of any kind from the caller's network; none for an unknown address, because such
 * callers would share a bucket and lock each other out.
 */
export const networkCounters = (hub: RatesHub, address: string | null): FailureCounter[] =>
  address === null ? [] : [{ buckets: hub.services.rateLimits.failures, key: toNetwork(address) }];

/**
 * Returns the counters for a wrong password. A browser that signed in to the account before has its own counter, so that
 * attempts by others, even from the same network, do not lock it out.
 */
export function passwordCounters(
  hub: RatesHub,
  email: string,
  address: string | null,
  device: Device | null,
): FailureCounter[] {
  const { byPair, byAccount, byDevice } = hub.services.rateLimits.wrongPasswords;
  if (device) return [{ buckets: byDevice, key: device.id }];
  const account = email.slice(0, MAX_KEY_LENGTH);
  return [
    ...networkCounters(hub, address),
    { buckets: byPair, key: `${address === null ? "" : toNetwork(address)} ${account}` },
    { buckets: byAccount, key: account },
  ];
}

const tooManyFailures = (waitMs: number) =>
  rateLimitedError(waitMs, "Too many failed attempts. Wait a moment and try again.");

/** Throws a 429 if an attempt would be rejected, without counting one. */
export function rejectExhausted(counters: FailureCounter[]): void {
  const waitMs = Math.max(0, ...counters.map(({ buckets, key }) => buckets.waitMs(key)));
  if (waitMs > 0) throw tooManyFailures(waitMs);
}

/** Counts a request to the sign-in routes, whatever its outcome; throws a 429 beyond the network's limit. */
export async function limitAuthCalls(hub: RatesHub, address: string | null): Promise<void> {
  if (address === null) return;
  const { allowed, waitMs } = await hub.services.rateLimits.authCalls.consume(toNetwork(address));
  if (!allowed) throw rateLimitedError(waitMs, "Too many calls from this network. Wait a moment and try again.");
}

/**
 * Runs an attempt that may be a guess of a secret, and returns its result; throws a 429 after too many failures. The attempt
 * is counted before it runs, so that concurrent attempts cannot exceed the limit, and refunded if it succeeds (returns
 * anything but null) or throws.
 */
export async function throttleAttempts<T>(
  hub: RatesHub,
  counters: FailureCounter[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  // All counters are checked before any is charged, so that a rejected attempt charges none.
  rejectExhausted(counters);
  const results = await Promise.all(counters.map(({ buckets, key }) => buckets.consume(key)));
  const refund = () => counters.forEach(({ buckets, key }, index) => results[index]!.allowed && buckets.refund(key));
  if (!results.every(({ allowed }) => allowed)) {
    refund();
    throw tooManyFailures(Math.max(...results.map(({ waitMs }) => waitMs)));
  }
  const outcome = await attempt().catch((error: unknown) => {
    // An attempt that throws reveals nothing.
    refund();
    throw error;
  });
  if (outcome === null) hub.metrics.authFailures.add({ via: "console" });
  else refund();
  return outcome;
}

/** The buckets of an account or an operator's token: for calls that read, that write, and that manage keys. */
export type RateLimitBucket = keyof RateServices["rateLimits"]["calls"];

/** Consumes one call from a bucket that all keys and sessions of the account share, or of an operator's token. */
export async function consumeRateLimit(
  hub: RatesHub,
  caller: number | string,
  bucket: RateLimitBucket,
): Promise<BucketResult & { name: string; quota: number }> {
  const { name, quota, buckets } = hub.services.rateLimits.calls[bucket];
  return { name, quota, ...(await buckets.consume(caller)) };
}

/** Returns a 429 error with the wait as `Retry-After`. */
export const rateLimitedError = (waitMs: number, detail: string): AppError =>
  new AppError("rate_limited", detail, {}, { "Retry-After": String(toWholeSeconds(waitMs)) });
