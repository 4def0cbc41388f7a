import { hashKey, isRecentKey } from "../../domain/credentials";
import { AppError } from "../../errors";
import { networkOf } from "../../lib/client-address";
import { readBearer } from "./authenticate";
import type { RequestContext } from "../request-context";
import type { Operation } from "../operation";

/**
 * Admits a request with a key before any work is done for it, and returns the function to call when it has ended. Throws
 * 503 while the process is overloaded. Always admits what needs no key: health, workers and the callbacks of providers,
 * which end accepted work, and the console.
 */
export function admitRequest(
  context: RequestContext,
  { headers }: Request,
  { auth, cost }: Pick<Operation, "auth" | "cost">,
): () => void {
  const { hub, address } = context;
  const key = headers.get("authorization") ?? headers.get("x-api-key") ?? headers.get("api-key");
  if (key === null || auth === "worker" || (cost !== "read" && cost !== "write")) return () => undefined;
  // Unknown keys count by network: otherwise, each made-up key would count as a caller of its own.
  context.keyHash = hashKey(readBearer(key) ?? key);
  context.isStranger = !isRecentKey(hub, context.keyHash);
  const caller = context.isStranger ? networkOf(address) : key;
  const release = hub.services.admission[cost].admit(caller);
  if (release) return release;
  throw new AppError("service_unavailable", "The hub is busy. Try again soon.", {}, { "Retry-After": "1" });
}
