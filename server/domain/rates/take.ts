import type { Hub } from "../../context";
import { createBuckets, type Verdict } from "../../lib/bucket";
import { oncePer } from "../../lib/once-per";

/** Which bucket of the account a call is taken from: what reads, what changes something, and the handling of keys. */
export type Cost = "read" | "write" | "keys";

const bucketsOf = oncePer(({ env }: Hub) => ({
  read: limit("reads", env.RATE_LIMIT_READS_PER_MINUTE),
  write: limit("writes", env.RATE_LIMIT_WRITES_PER_MINUTE),
  keys: limit("keys", env.RATE_LIMIT_KEYS_PER_MINUTE),
}));

const limit = (name: string, perMinute: number) => ({
  name,
  policy: `"${name}";q=${perMinute};w=60`,
  buckets: createBuckets<number>(perMinute),
});

/** Takes one call out of a bucket of the account, which all its keys and sessions share. */
export function takeCall(hub: Hub, accountId: number, cost: Cost): Verdict & { name: string; policy: string } {
  const { name, policy, buckets } = bucketsOf(hub)[cost];
  const { allowed, remaining, waitMs } = buckets.take(accountId, hub.now().getTime());
  return { name, policy, allowed, remaining, waitMs };
}
