import { randomBytes } from "node:crypto";
import type { EndpointServices, EndpointsHub } from "./hub";
import { decryptByAny, encrypt } from "../../lib/encryption";
import { deriveKeys, type Secrets } from "../../lib/signature";

const PREFIX = "whsec_";

/** Returns a new secret in the format of Standard Webhooks: `whsec_` and 32 bytes in padded base64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/** Returns whether a text has the format of a webhook secret. */
export const isWebhookSecret = (text: string): boolean =>
  /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) && text.length > PREFIX.length;

/** Returns the services of endpoints. */
export const createEndpointServices = (secrets: Secrets): EndpointServices => ({
  webhookKeys: deriveKeys(secrets, "generation-hub webhook secrets"),
});

/** Encrypts a secret for its row; it can only be decrypted for the same endpoint. */
export const encryptWebhookSecret = (hub: EndpointsHub, endpointId: string, secret: string): Buffer =>
  encrypt(hub.services.webhookKeys[0]!, endpointId, secret);

/** Decrypts the secret of a row; throws when neither HUB_SECRET nor HUB_SECRET_PREVIOUS encrypted it. */
export const decryptWebhookSecret = (hub: EndpointsHub, endpointId: string, encrypted: Buffer): string =>
  decryptByAny(hub.services.webhookKeys, endpointId, encrypted);
