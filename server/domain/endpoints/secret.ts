import { randomBytes } from "node:crypto";
import type { Ctx } from "../../context";
import { bytea, int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { decryptByAny, encrypt } from "../../lib/encryption";
import { isId } from "../../lib/id";
import { deriveKeys, type Secrets } from "../../lib/signature";
import { type Endpoint, endpointColumns, endpointNotFoundError, endpointSql } from "./endpoint";
import type { EndpointServices, EndpointsHub } from "./hub";

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

/** Encrypts a secret for its row; it can only be decrypted for the same owner, for example the endpoint's id. */
export const encryptWebhookSecret = (hub: EndpointsHub, owner: string, secret: string): Buffer =>
  encrypt(hub.services.webhookKeys[0]!, owner, secret);

/** Decrypts the secret of a row; throws when neither HUB_SECRET nor HUB_SECRET_PREVIOUS encrypted it. */
export const decryptWebhookSecret = (hub: EndpointsHub, owner: string, encrypted: Buffer): string =>
  decryptByAny(hub.services.webhookKeys, owner, encrypted);

/** For how long the previous secret also signs after a rotation. */
export const OVERLAP_MS = 24 * 3_600_000;

/**
 * Replaces the secret of an active endpoint and returns the new one, which is not shown again. The previous secret also signs
 * for 24 hours. Throws 404 for an endpoint that does not exist or is revoked, and for a host.
 */
export async function rotateSecret(
  ctx: Ctx<EndpointsHub>,
  id: string,
): Promise<{ endpoint: Endpoint; secret: string }> {
  if (!isId(id)) throw endpointNotFoundError();
  const secret = newWebhookSecret();
  const encrypted = encryptWebhookSecret(ctx.hub, id, secret);
  const until = new Date(ctx.hub.now().getTime() + OVERLAP_MS);
  const [endpoint] = await replaceSecret(ctx.hub.db, id, ctx.account.id, encrypted, until);
  if (!endpoint) throw endpointNotFoundError();
  return { endpoint, secret };
}

const replaceSecret = statement({
  params: [uuid, int4, bytea, timestamptz],
  row: endpointColumns,
  text: `
    UPDATE endpoint SET previous_secret = secret, previous_secret_expires_at = $4, secret = $3
    WHERE id = $1 AND account_id = $2 AND position IS NOT NULL AND revoked_at IS NULL RETURNING ${endpointSql}`,
});
