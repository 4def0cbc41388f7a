import type { Ctx } from "../../context";
import { isId } from "../../lib/id";
import { noEndpoint } from "./get";

/** Ends an endpoint for good and with it its pending deliveries. 404 for one that is not there, or no longer. */
export async function revokeEndpoint(ctx: Ctx, id: string): Promise<void> {
  const now = ctx.now();
  const revoked = isId(id)
    ? await ctx.db.query(
        `UPDATE endpoint SET revoked_at = $3, previous_secret = NULL, previous_until = NULL
         WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL RETURNING id`,
        [id, ctx.account.id, now],
      )
    : [];
  if (revoked.length === 0) throw noEndpoint();
  // A statement of its own, because attempts lock their delivery before its endpoint; each looks for itself, too.
  await ctx.db.query(
    `UPDATE delivery SET state = 'canceled', ended_at = $2, next_attempt_at = NULL, nudge_at = NULL
     WHERE endpoint_id = $1 AND state = 'pending'`,
    [id, now],
  );
}
