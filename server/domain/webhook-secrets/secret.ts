import { randomBytes } from "node:crypto";
import { decryptByAny, encrypt } from "../../lib/encryption";
import { deriveKeys, type Secrets } from "../../lib/signature";
import type { WebhookSecretServices, WebhookSecretsHub } from "./hub";

const PREFIX = "whsec_";

/** Returns a new secret in the format of Standard Webhooks: `whsec_` and 32 bytes in padded base64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/** Returns whether a text has the format of a webhook secret. */
export const isWebhookSecret = (text: string): boolean =>
  /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) && text.length > PREFIX.length;

/** Returns the services of the secrets of webhooks. */
export const createWebhookSecretServices = (secrets: Secrets): WebhookSecretServices => ({
  webhookKeys: deriveKeys(secrets, "generation-hub webhook secrets"),
});

/** Encrypts a secret for its row; it can only be decrypted for the same owner, for example the endpoint's id. */
export const encryptWebhookSecret = (hub: WebhookSecretsHub, owner: string, secret: string): Buffer =>
  encrypt(hub.services.webhookKeys[0]!, owner, secret);

/** Decrypts the secret of a row; throws when neither HUB_SECRET nor HUB_SECRET_PREVIOUS encrypted it. */
export const decryptWebhookSecret = (hub: WebhookSecretsHub, owner: string, encrypted: Buffer): string =>
  decryptByAny(hub.services.webhookKeys, owner, encrypted);

/** For how long the previous secret also signs after a rotation. */
export const OVERLAP_MS = 24 * 3_600_000;
