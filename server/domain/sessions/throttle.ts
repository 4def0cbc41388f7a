import type { Hub } from "../../context";
import { createBuckets } from "../../lib/bucket";
import { networkOf } from "../../lib/network";
import { oncePer } from "../../lib/once-per";
import { limited } from "../rates/limited";

const BY_ACCOUNT_PER_MINUTE = 10;

const bucketsOf = oncePer(({ env }: Hub) => ({
  address: createBuckets<string>(env.RATE_LIMIT_FAILED_AUTH_PER_MINUTE),
  account: createBuckets<string>(BY_ACCOUNT_PER_MINUTE),
}));

/**
 * Lets a try at a secret happen, unless too many from this address or at this account have failed (429). A try counts
 * before its outcome is known, so that many at once gain nothing, and is given back when it succeeds, which is when it
 * answers something other than null.
 */
export async function throttle<T>(
  hub: Hub,
  who: { email: string | null; address: string | null },
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const { address, account } = bucketsOf(hub);
  const taken = [
    // Callers whose address is unknown would share one bucket, and lock each other out.
    ...(who.address === null ? [] : [{ buckets: address, key: networkOf(who.address) }]),
    ...(who.email === null ? [] : [{ buckets: account, key: who.email }]),
  ];
  for (const { buckets, key } of taken) {
    const { allowed, waitMs } = buckets.take(key, hub.now().getTime());
    if (!allowed) throw limited(waitMs, "Too many failed tries. Wait a little and try again.");
  }
  const outcome = await attempt();
  if (outcome !== null) for (const { buckets, key } of taken) buckets.giveBack(key);
  return outcome;
}
