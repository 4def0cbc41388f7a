import type { Ctx } from "../../context";
import { bytea, int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { type Endpoint, endpointColumns, endpointSql } from "./endpoint";
import { endpointNotFoundError } from "./find-endpoints";
import type { EndpointsHub } from "./hub";
import { newWebhookSecret, encryptWebhookSecret } from "./secret";

const OVERLAP_MS = 24 * 3_600_000;

/**
 * Gives an active endpoint a new secret and returns it; it is not shown again. For 24 hours the previous secret signs
 * as well. Throws 404 for an endpoint that does not exist or is revoked.
 */
export async function rotateSecret(
  ctx: Ctx<EndpointsHub>,
  id: string,
): Promise<{ endpoint: Endpoint; secret: string }> {
  if (!isId(id)) throw endpointNotFoundError();
  const secret = newWebhookSecret();
  const until = new Date(ctx.hub.now().getTime() + OVERLAP_MS);
  const [endpoint] = await replaceSecret(
    ctx.hub.db,
    id,
    ctx.account.id,
    encryptWebhookSecret(ctx.hub, id, secret),
    until,
  );
  if (!endpoint) throw endpointNotFoundError();
  return { endpoint, secret };
}

const replaceSecret = statement({
  params: [uuid, int4, bytea, timestamptz],
  row: endpointColumns,
  text: `
    UPDATE endpoint SET previous_secret = secret, previous_secret_expires_at = $4, secret = $3
    WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL RETURNING ${endpointSql}`,
});
