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
  /** How many seconds the request may be older or newer than now. 300 by default: an older one may be a replay. */
  toleranceSeconds?: number;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const encoder = new TextEncoder();

/**
 * Returns the event of a webhook after checking that the hub signed it, and when. Throws WebhookVerificationError
 * otherwise. It reads the headers of Standard Webhooks: `X-Service-Signature` does not sign the time, so that whoever has
 * seen a request could send it again at any time. Deliveries can arrive twice: store `event.id`, and skip what you have
 * processed.
 */
export async function verifyWebhook(message: WebhookMessage): Promise<WebhookEvent> {
  const { secret, headers, body, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = message;
  const bytes = typeof body === "string" ? encoder.encode(body) : new Uint8Array(body);
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    getHeader(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError("The request lacks webhook-id, webhook-timestamp or webhook-signature");
  const start = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + bytes.length);
  signed.set(start);
  signed.set(bytes, start.length);
  if (!(await isSigned(secret, signed, signatures)))
    throw new WebhookVerificationError("The request is not signed with this secret");
  // Negated, so that a timestamp that is not a number is rejected too.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError("The request was not signed lately: it may be a replay, or a clock is wrong");
  return parseEvent(bytes);
}

/** Returns whether one of the signatures is of this secret: after a rotation the hub signs with both for a day. */
async function isSigned(secret: string, signed: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0) throw new WebhookVerificationError("The secret is not whsec_ and base64");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  for (const one of signatures.split(" ")) {
    const signature = one.startsWith("v1,") ? decodeBase64(one.slice("v1,".length)) : null;
    if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) return true;
  }
  return false;
}

function getHeader(headers: WebhookMessage["headers"], wanted: string): string | null {
  if (headers instanceof Headers) return headers.get(wanted);
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  try {
    return withDecimals(JSON.parse(new TextDecoder().decode(bytes))) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("The body is signed, but is not JSON");
  }
}
