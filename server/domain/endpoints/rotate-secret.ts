import type { Ctx } from "../../context";
import { bytea, int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { encryptWebhookSecret, newWebhookSecret, OVERLAP_MS } from "../webhook-secrets";
import { type Endpoint, endpointColumns, endpointNotFoundError, endpointSql } from "./endpoint";
import type { EndpointsHub } from "./hub";

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
