import ipaddr from "ipaddr.js";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { oncePer } from "../../lib/once-per";
import type { Call } from "../call";
import type { Cost } from "../operation";
import { createBuckets } from "./bucket";

const bucketsOf = oncePer(({ env }: Hub) => ({
  read: limit("reads", env.RATE_LIMIT_READS_PER_MINUTE),
  write: limit("writes", env.RATE_LIMIT_WRITES_PER_MINUTE),
  failures: createBuckets<string>(env.RATE_LIMIT_FAILED_AUTH_PER_MINUTE),
}));

const limit = (name: string, perMinute: number) => ({
  name,
  policy: `"${name}";q=${perMinute};w=60`,
  buckets: createBuckets<number>(perMinute),
});

/** Takes one call from the account's bucket and says so in the answer's headers (IETF draft), or 429. */
export function limitRate({ hub, headers }: Call, accountId: number, cost: Cost): void {
  const { name, policy, buckets } = bucketsOf(hub)[cost];
  const { allowed, remaining, waitMs } = buckets.take(accountId, hub.now().getTime());
  headers["RateLimit-Policy"] = policy;
  headers.RateLimit = waitMs > 0 ? `"${name}";r=0;t=${seconds(waitMs)}` : `"${name}";r=${remaining}`;
  if (!allowed) throw limited(waitMs, `This account has used up its ${name} for now.`);
}

/** Counts a failed authentication against its address; the error that answers it, 429 in place of the 401 or none. */
export function limitFailures({ hub, address }: Call): AppError | null {
  // Callers whose address is unknown share one bucket: a valid key is never held up by it.
  const key = address === null ? "unknown" : network(address);
  const { allowed, waitMs } = bucketsOf(hub).failures.take(key, hub.now().getTime());
  return allowed ? null : limited(waitMs, "Too many failed authentications from this address.");
}

const limited = (waitMs: number, detail: string) =>
  new AppError("rate_limited", detail, {}, { "Retry-After": String(seconds(waitMs)) });

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

// Whoever has one IPv6 address has all of its /64.
function network(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
