import { hashKey, isRecentKey } from "../../domain/credentials";
import { consumeCall, consumeTokenCall, type RateLimitBucket, rateLimitedError } from "../../domain/rates";
import { AppError } from "../../errors";
import { networkOf } from "../../lib/client-address";
import type { Operation } from "../operation";
import type { RequestContext } from "../request-context";
import { readBearer } from "./authenticate";

/**
 * Admits a request with a key before any work is done for it, and returns the function to call when it has ended. Throws
 * 503 while the process is overloaded. Always admits requests without a key (health checks and the console), workers and
 * the callbacks of providers, which end accepted work, and operators, who may have to act on the overload.
 */
export function admitRequest(
  context: RequestContext,
  { headers }: Request,
  { auth, cost }: Pick<Operation, "auth" | "cost">,
): () => void {
  const { hub, address } = context;
  const key = headers.get("authorization") ?? headers.get("x-api-key") ?? headers.get("api-key");
  if (key === null || auth === "worker" || auth === "operator" || (cost !== "read" && cost !== "write"))
    return () => undefined;
  // Unknown keys count by network: otherwise, each made-up key would count as a caller of its own.
  context.keyHash = hashKey(readBearer(key) ?? key);
  context.isStranger = !isRecentKey(hub, context.keyHash);
  const caller = context.isStranger ? networkOf(address) : key;
  const release = hub.services.admission[cost].admit(caller);
  if (release) return release;
  throw new AppError("service_unavailable", "The hub is busy. Try again soon.", {}, { "Retry-After": "1" });
}

/**
 * Counts a request against the limits of its key and account, or of an operator's token, and shows them in the response.
 * Throws 429.
 */
export async function limitRate(
  { hub, rates }: RequestContext,
  caller: NonNullable<RequestContext["limited"]>,
  bucket: RateLimitBucket,
): Promise<void> {
  const limits =
    "account" in caller ? await consumeCall(hub, caller, bucket) : [await consumeTokenCall(hub, caller.id, bucket)];
  for (const limit of limits) rates.add(limit);
  const rejecting = limits.find(({ allowed }) => !allowed);
  if (rejecting) throw rateLimitedError(rates.waitMs(), rejecting.exhausted);
}

/** Counts a failed authentication against its address. Returns a 429 to send instead of the 401, or null. */
export async function limitFailures({ hub, address }: RequestContext): Promise<AppError | null> {
  // Clients without a known address share one bucket. It delays only failed authentications, never a valid key.
  const { allowed, waitMs } = await hub.services.rateLimits.failures.consume(networkOf(address));
  return allowed ? null : rateLimitedError(waitMs, "Too many failed authentications from this address.");
}
