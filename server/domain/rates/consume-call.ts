import type { Ctx } from "../../context";
import type { RateLimit } from "../../lib/rate-view";
import type { RatesHub } from "./hub";
import type { KeyLimit } from "./key-rates";
import { consumeRateLimit, type RateLimitBucket } from "./throttle";

/**
 * Counts a call against the limit of its key, if it has one, and then against the account's, which the key's limit protects.
 * Returns the limits that decided; a call that one of them rejects counts against none.
 */
export async function consumeCall(
  hub: RatesHub,
  { account, actor }: Pick<Ctx<RatesHub>, "account" | "actor">,
  bucket: RateLimitBucket,
): Promise<RateLimit[]> {
  if (actor.kind !== "key" || actor.requestsPerMinute === null) return consumeAccountCalls(hub, account, bucket);
  const { keyRates, rateLimits } = hub.services;
  const limit: KeyLimit = { keyId: actor.id, unit: "requests", quota: actor.requestsPerMinute };
  const taken = await keyRates.take({ ...limit, amount: 1 });
  const ofKey = describeRequests(limit.quota, taken);
  if (!taken.allowed) {
    const { name, quota, buckets } = rateLimits.calls[bucket];
    const waitMs = buckets.waitMs(account.id);
    // A wait that ends before the account's own would be in vain.
    return waitMs === 0 ? [ofKey] : [ofKey, describeCalls({ name, quota, allowed: false, remaining: 0, waitMs })];
  }
  const ofAccount = await consumeAccountCalls(hub, account, bucket);
  if (ofAccount.every(({ allowed }) => allowed)) return [ofKey, ...ofAccount];
  await keyRates.correct(limit, taken.second, -1);
  return ofAccount;
}

/** Counts a call against the limit of the account's price book, if it has one, and then against that of the bucket. */
async function consumeAccountCalls(
  hub: RatesHub,
  { id, terms }: Ctx<RatesHub>["account"],
  bucket: RateLimitBucket,
): Promise<RateLimit[]> {
  const perMinute = terms?.book.limits.requestsPerMinute ?? null;
  if (perMinute === null) return [await consumeAccountCall(hub, id, bucket)];
  const { quota, buckets } = hub.services.rateLimits.bookCalls(perMinute);
  const ofBook = describeCalls({ name: "requests", quota, ...(await buckets.consume(id)) });
  if (!ofBook.allowed) return [ofBook];
  const ofBucket = await consumeAccountCall(hub, id, bucket);
  if (!ofBucket.allowed) buckets.refund(id);
  return ofBucket.allowed ? [ofBook, ofBucket] : [ofBucket];
}

/** Counts a call against the limit of an operator's token, and returns it. */
export const consumeTokenCall = async (hub: RatesHub, tokenId: string, bucket: RateLimitBucket): Promise<RateLimit> =>
  describeCalls(await consumeRateLimit(hub, tokenId, bucket), "token");

const consumeAccountCall = async (hub: RatesHub, accountId: number, bucket: RateLimitBucket): Promise<RateLimit> =>
  describeCalls(await consumeRateLimit(hub, accountId, bucket));

const describeCalls = (
  state: Pick<RateLimit, "name" | "quota" | "allowed" | "remaining" | "waitMs">,
  caller: "account" | "token" = "account",
): RateLimit => ({
  unit: "requests",
  exhausted: `This ${caller} has used up its ${state.name} for now.`,
  ...state,
});

const describeRequests = (
  quota: number,
  { allowed, remaining, waitMs }: Pick<RateLimit, "allowed" | "remaining" | "waitMs">,
): RateLimit => ({
  name: "key-requests",
  unit: "requests",
  quota,
  allowed,
  remaining,
  waitMs,
  exhausted: `This API key has used up its limit of ${quota} requests a minute.`,
});
