import type { Hub } from "../../context";
import type { Buckets } from "../../lib/bucket";
import type { Device } from "../../lib/device-token";
import { networkOf } from "../../lib/network";
import { rateLimitedError } from "../rates/rate-limit";

/** What a failed try is counted in. */
export interface Counter {
  buckets: Buckets<string>;
  key: string;
}

// An address of any length would be kept as it is.
const MAX_KEY_LENGTH = 254;

/** Returns where a failed try of any kind is counted: by the caller's network. */
export function byNetwork(hub: Hub, address: string | null): Counter[] {
  // Callers whose address is unknown would share one bucket, and lock each other out.
  return address === null ? [] : [{ buckets: hub.rateLimits.failures, key: networkOf(address) }];
}

/**
 * Returns where a wrong password is counted. A browser that signed in to the account before has a bucket of its own:
 * what others try, from its network as well, does not keep it out.
 */
export function byPassword(hub: Hub, email: string, address: string | null, device: Device | null): Counter[] {
  const { byPair, byAccount, byDevice } = hub.rateLimits.wrongPasswords;
  if (device) return [{ buckets: byDevice, key: device.id }];
  const account = email.slice(0, MAX_KEY_LENGTH);
  return [
    ...byNetwork(hub, address),
    { buckets: byPair, key: `${address === null ? "" : networkOf(address)} ${account}` },
    { buckets: byAccount, key: account },
  ];
}

const tooMany = (waitMs: number) => rateLimitedError(waitMs, "Too many failed attempts. Wait a moment and try again.");

/** Throws a 429 when a try would be refused, and counts nothing: for a check before work that comes first. */
export function rejectExhausted(hub: Hub, counters: Counter[]): void {
  const waitMs = Math.max(0, ...counters.map(({ buckets, key }) => buckets.waitMs(key, hub.now().getTime())));
  if (waitMs > 0) throw tooMany(waitMs);
}

/** Counts a call of sign-in's own routes, which are work whatever comes of them; throws a 429 beyond the network's limit. */
export function limitAuthCalls(hub: Hub, address: string | null): void {
  if (address === null) return;
  const { allowed, waitMs } = hub.rateLimits.authCalls.take(networkOf(address), hub.now().getTime());
  if (!allowed) throw rateLimitedError(waitMs, "Too many calls from this network. Wait a moment and try again.");
}

/**
 * Lets a try at a secret happen, unless too many have failed (429). A try counts before its outcome is known, so that
 * many at once gain nothing, and is given back when it succeeds, which is when it answers something other than null.
 */
export async function throttle<T>(hub: Hub, counters: Counter[], attempt: () => Promise<T | null>): Promise<T | null> {
  // All or none: what one bucket refuses does not empty the others.
  rejectExhausted(hub, counters);
  for (const { buckets, key } of counters) buckets.take(key, hub.now().getTime());
  const outcome = await attempt();
  if (outcome !== null) for (const { buckets, key } of counters) buckets.giveBack(key);
  return outcome;
}
