import { createHmac } from "node:crypto";

/** A webhook as Standard Webhooks signs it. */
interface SignedMessage {
  id: string;
  /** Seconds since 1970, as in its header. */
  timestamp: string;
  body: string | Buffer;
}

/** Returns the signature of a message for the header `webhook-signature`, keyed by a secret such as `whsec_…`. */
export function signMessage(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}
