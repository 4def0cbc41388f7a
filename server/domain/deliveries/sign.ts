import { createHmac } from "node:crypto";
import { signMessage } from "../../lib/standard-webhooks";

interface Message {
  /** The delivery's id. */
  id: string;
  event: string;
  body: string;
  /** The time of the attempt. */
  at: Date;
}

/**
 * Returns the signature headers of a delivery: those of the specification (section 6), keyed by the secret's text, and
 * those of Standard Webhooks, keyed by its bytes. While two secrets are valid, both sign, the newest first.
 */
export function signatureHeaders(secrets: string[], { id, event, body, at }: Message): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const [newest, previous] = secrets.map(
    (secret) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  );
  return {
    "X-Service-Event": event,
    "X-Service-Delivery": id,
    "X-Service-Signature": newest!,
    ...(previous && { "X-Service-Signature-Previous": previous }),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => signMessage(secret, { id, timestamp, body })).join(" "),
  };
}
