import type { Context } from "hono";
import type { ClientRequest } from "../../domain/chat/client-request";
import type { Host } from "../request-context";
import { watchDelivery } from "../watch-delivery";

const RETRY_COUNT = /^(?:[1-9]\d?|100)$/;

/**
 * Reads what tells a retry of an SDK from another request of the same body, and watches whether its answer arrives. Null
 * for a caller who sent an Idempotency-Key, and on a host without sockets.
 */
export function readClientRequest({ req, env }: Context<Host>, digest: Buffer): ClientRequest | null {
  const { headers } = req.raw;
  const outgoing = env?.outgoing;
  if (!outgoing || headers.has("idempotency-key")) return null;
  // Sent by the SDKs that Stainless generates, OpenAI's and Anthropic's among them.
  const isRetry = RETRY_COUNT.test(headers.get("x-stainless-retry-count") ?? "");
  return { digest, isRetry, delivered: watchDelivery(outgoing) };
}
