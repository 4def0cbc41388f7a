import { randomBytes } from "node:crypto";
import type { Hub } from "../../context";
import { memoizePer } from "../../lib/memoize-per";
import { encrypt, deriveEncryptionKey, decrypt } from "../../lib/encryption";

const PREFIX = "whsec_";
const keyOf = memoizePer((hub: Hub) => deriveEncryptionKey(hub.secret, "generation-hub webhook secrets"));

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 bytes in padded base64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString("base64");

export const isWebhookSecret = (text: string): boolean =>
  /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) && text.length > PREFIX.length;

/** The bytes that Standard Webhooks signs with. */
export const decodeWebhookSecret = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");

/** The secret as its row keeps it; it opens for this endpoint alone. */
export const encryptWebhookSecret = (hub: Hub, endpointId: string, secret: string): Buffer =>
  encrypt(keyOf(hub), endpointId, secret);

/** The secret of a row; throws when it was sealed under another HUB_SECRET. */
export const decryptWebhookSecret = (hub: Hub, endpointId: string, sealed: Buffer): string =>
  decrypt(keyOf(hub), endpointId, sealed);
