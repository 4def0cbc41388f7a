import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { deleteSigningSecret } from "../webhook-secrets";
import { endpointNotFoundError } from "./endpoint";
import type { EndpointsHub } from "./hub";

/** Revokes an endpoint and cancels its pending deliveries. Throws 404 when it does not exist or is revoked already. */
export async function revokeEndpoint(ctx: Ctx<EndpointsHub>, id: string): Promise<void> {
  const where = { id, accountId: ctx.account.id, revokedAt: null };
  const data = { revokedAt: ctx.hub.now(), previousSecret: null, previousSecretExpiresAt: null };
  const revoked = isId(id) ? await ctx.hub.db.prisma.endpoint.updateMany({ where, data }) : { count: 0 };
  if (revoked.count === 0) throw endpointNotFoundError();
  await cancelPendingDeliveries(ctx.hub, { endpointId: id });
}

/**
 * Cancels the pending deliveries of one revoked endpoint, or of all revoked endpoints of an account. This is a separate
 * statement, because attempts lock their delivery before its endpoint. If a crash prevents it, nothing is sent all the same:
 * every attempt checks that the endpoint is active.
 */
export async function cancelPendingDeliveries(
  hub: EndpointsHub,
  target: { endpointId: string } | { accountId: number },
): Promise<void> {
  if ("endpointId" in target) await cancelOfEndpoint(hub.db, target.endpointId, hub.now());
  else await cancelOfAccount(hub.db, target.accountId, hub.now());
}

const buildCancelSql = (condition: string): string => `
  UPDATE delivery SET state = 'canceled', ended_at = $2, next_attempt_at = NULL, redispatch_at = NULL
  WHERE state = 'pending' AND endpoint_id IN (SELECT id FROM endpoint WHERE ${condition} AND revoked_at IS NOT NULL)`;

const cancelOfEndpoint = statement({ params: [uuid, timestamptz], row: {}, text: buildCancelSql("id = $1") });
const cancelOfAccount = statement({ params: [int4, timestamptz], row: {}, text: buildCancelSql("account_id = $1") });

/**
 * Revokes every endpoint of an account within the caller's transaction, hosts included, deletes its signing secret and returns
 * how many it revoked. Call `cancelPendingDeliveries` once it is committed.
 */
export async function revokeEndpoints(db: Queryable, accountId: number, now: Date): Promise<number> {
  const revoked = await revokeAll(db, accountId, now);
  await deleteSigningSecret(db, accountId);
  return revoked.length;
}

const revokeAll = statement({
  params: [int4, timestamptz],
  row: { id: uuid },
  text: `
  UPDATE endpoint SET revoked_at = $2, previous_secret = NULL, previous_secret_expires_at = NULL
  WHERE account_id = $1 AND revoked_at IS NULL RETURNING id`,
});
