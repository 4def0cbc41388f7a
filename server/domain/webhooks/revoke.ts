import type { Ctx, Hub } from "../../context";
import { isId } from "../../lib/id";
import { endpointNotFoundError } from "./get";

/** Ends an endpoint for good and with it its pending deliveries. 404 for one that is not there, or no longer. */
export async function revokeEndpoint(ctx: Ctx, id: string): Promise<void> {
  const revoked = isId(id)
    ? await ctx.db.query(
        `UPDATE endpoint SET revoked_at = $3, previous_secret = NULL, previous_until = NULL
         WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL RETURNING id`,
        [id, ctx.account.id, ctx.now()],
      )
    : [];
  if (revoked.length === 0) throw endpointNotFoundError();
  await cancelPendingDeliveries(ctx.hub, { endpointId: id });
}

/**
 * Cancels what is still owed to one revoked endpoint, or to all those of an account. A statement of its own, because
 * attempts lock their delivery before its endpoint; each checks the endpoint itself, so a crash before this sends nothing.
 */
export async function cancelPendingDeliveries(
  hub: Hub,
  of: { endpointId: string } | { accountId: number },
): Promise<void> {
  const [scope, id] = "endpointId" in of ? ["id", of.endpointId] : ["account_id", of.accountId];
  await hub.db.query(
    `UPDATE delivery SET state = 'canceled', ended_at = $2, next_attempt_at = NULL, nudge_at = NULL
     WHERE state = 'pending' AND endpoint_id IN (SELECT id FROM endpoint WHERE ${scope} = $1 AND revoked_at IS NOT NULL)`,
    [id, hub.now()],
  );
}
