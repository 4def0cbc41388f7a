import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { ClientRequest } from "../../domain/chat/client-request";
import type { Host } from "../call";
import type { Operation } from "../operation";
import { watchDelivery } from "../watch-delivery";

const RETRY_COUNT = /^(?:[1-9]\d?|100)$/;

/**
 * Reads what tells a retry of an SDK from another request of the same body, and watches whether its answer arrives. Null
 * for an operation that does not join retries, for a caller who sent an Idempotency-Key, and on a host without sockets.
 */
export function readClientRequest(
  { name, joinsRetries }: Operation,
  { req, env }: Context<Host>,
  sent: { bytes: Uint8Array } | undefined,
): ClientRequest | null {
  const { headers } = req.raw;
  const outgoing = env?.outgoing;
  if (!joinsRetries || !sent || !outgoing || headers.has("idempotency-key")) return null;
  return {
    digest: createHash("sha256").update(name).update("\0").update(sent.bytes).digest(),
    // Sent by the SDKs that Stainless generates, OpenAI's and Anthropic's among them.
    isRetry: RETRY_COUNT.test(headers.get("x-stainless-retry-count") ?? ""),
    delivered: watchDelivery(outgoing),
  };
}
