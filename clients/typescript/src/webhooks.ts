import { withDecimals } from "./decimals.js";
import { WebhookVerificationError } from "./errors.js";
import type { WebhookEvent } from "./types.js";

export interface WebhookMessage {
  /** `whsec_…`, as the hub showed it when the webhook was created. */
  secret: string;
  /** The headers of the request: of fetch, or of Node. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The raw body. Parsing and printing it again changes its bytes. */
  body: string | Uint8Array;
}

const encoder = new TextEncoder();

/**
 * Returns the event of a webhook after checking that the hub signed it. Throws WebhookVerificationError otherwise.
 * Deliveries can arrive twice: store `event.id`, and skip what you have processed.
 */
export async function verifyWebhook({ secret, headers, body }: WebhookMessage): Promise<WebhookEvent> {
  if (secret === "") throw new WebhookVerificationError("The secret is empty");
  const bytes = typeof body === "string" ? encoder.encode(body) : new Uint8Array(body);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  // After a rotation the hub signs with the previous secret as well, for a day.
  for (const name of ["x-service-signature", "x-service-signature-previous"]) {
    const signature = parseSignature(getHeader(headers, name));
    if (signature && (await crypto.subtle.verify("HMAC", key, signature, bytes))) return parseEvent(bytes);
  }
  throw new WebhookVerificationError("The request is not signed with this secret");
}

function getHeader(headers: WebhookMessage["headers"], wanted: string): string | null {
  if (headers instanceof Headers) return headers.get(wanted);
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function parseSignature(header: string | null): Uint8Array<ArrayBuffer> | null {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header ?? "")?.[1];
  return hex ? Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16)) : null;
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  try {
    return withDecimals(JSON.parse(new TextDecoder().decode(bytes))) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("The body is signed, but is not JSON");
  }
}
