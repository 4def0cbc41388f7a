import type { Device } from "../../lib/device-token";
import { toNetwork } from "../../lib/client-address";
import type { RatesHub } from "./hub";
import { rateLimitedError } from "./rate-limit";
import type { SharedBuckets } from "./shared-buckets";

/** A bucket in which failed attempts are counted. */
export interface FailureCounter {
  buckets: SharedBuckets<string>;
  key: string;
}

// Keys are held in memory, so the length of what a caller sends is bounded.
const MAX_KEY_LENGTH = 254;

/** Returns the counter for failed attempts of any kind from the caller's network. */
export function networkCounters(hub: RatesHub, address: string | null): FailureCounter[] {
  // Callers without a known address would share one bucket and lock each other out.
  return address === null ? [] : [{ buckets: hub.services.rateLimits.failures, key: toNetwork(address) }];
}

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

/** Throws a 429 when an attempt would be rejected, without counting one: a check before other work. */
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
 * Runs an attempt to guess a secret and returns its result; throws a 429 after too many failures. The attempt is counted
 * before it runs, so that concurrent attempts cannot exceed the limit, and refunded when it succeeds (returns non-null) or throws.
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
    // Nothing was learned from it.
    refund();
    throw error;
  });
  if (outcome === null) hub.metrics.authFailures.add({ via: "console" });
  else refund();
  return outcome;
}
