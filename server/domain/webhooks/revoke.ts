import type { Ctx, Hub } from "../../context";
import type { Queryable } from "../../db/client";
import { isId } from "../../lib/id";
import { endpointNotFoundError } from "./get";

/** Revokes an endpoint and cancels its pending deliveries. Throws 404 when it does not exist or is revoked already. */
export async function revokeEndpoint(ctx: Ctx, id: string): Promise<void> {
  const where = { id, accountId: ctx.account.id, revokedAt: null };
  const data = { revokedAt: ctx.hub.now(), previousSecret: null, previousSecretExpiresAt: null };
  const revoked = isId(id) ? await ctx.hub.db.prisma.endpoint.updateMany({ where, data }) : { count: 0 };
  if (revoked.count === 0) throw endpointNotFoundError();
  await cancelPendingDeliveries(ctx.hub, { endpointId: id });
}

/**
 * Cancels the pending deliveries of one revoked endpoint, or of all revoked endpoints of an account. It is a separate
 * statement, because attempts lock their delivery before its endpoint. Nothing is sent if a crash prevents it, because
 * every attempt checks that the endpoint is active.
 */
export async function cancelPendingDeliveries(
  hub: Hub,
  target: { endpointId: string } | { accountId: number },
): Promise<void> {
  const [column, id] = "endpointId" in target ? ["id", target.endpointId] : ["account_id", target.accountId];
  await hub.db.query(
    `UPDATE delivery SET state = 'canceled', ended_at = $2, next_attempt_at = NULL, redispatch_at = NULL
     WHERE state = 'pending' AND endpoint_id IN (SELECT id FROM endpoint WHERE ${column} = $1 AND revoked_at IS NOT NULL)`,
    [id, hub.now()],
  );
}

/** Revokes every endpoint of an account and returns how many. Their pending deliveries stay, as they are locked first. */
export async function revokeEndpoints(db: Queryable, accountId: number, now: Date): Promise<number> {
  const revoked = await db.query(
    `UPDATE endpoint SET revoked_at = $2, previous_secret = NULL, previous_secret_expires_at = NULL
     WHERE account_id = $1 AND revoked_at IS NULL RETURNING id`,
    [accountId, now],
  );
  return revoked.length;
}
