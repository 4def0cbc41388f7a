import type { Ctx } from "../../context";
import { isId, newId } from "../../lib/id";
import type { Delivery } from "./delivery";
import { TEST_EVENT } from "./endpoint";
import { exampleGeneration } from "./example";
import { noEndpoint } from "./get";
import { getDelivery } from "./get-delivery";
import { dispatchDeliveries, REDISPATCH_AFTER_SECONDS, type PendingDelivery } from "./dispatch-deliveries";

/**
 * Sends an endpoint an event `webhook.test` with an example of a generation, whatever it subscribed to. It is tried
 * once, and stands in no feed. 404 for an endpoint that is not there or revoked.
 */
export async function sendTest(ctx: Ctx, endpointId: string): Promise<Delivery> {
  if (!isId(endpointId)) throw noEndpoint();
  const id = newId();
  const now = ctx.now();
  const nudgeAt = new Date(now.getTime() + REDISPATCH_AFTER_SECONDS * 1000);
  const data = JSON.stringify(exampleGeneration(ctx.hub, now));
  const owed = await ctx.db.query<PendingDelivery>(statement, [
    ...[endpointId, ctx.account.id, newId(), TEST_EVENT, now, data, id, nudgeAt],
  ]);
  if (owed.length === 0) throw noEndpoint();
  dispatchDeliveries(ctx, owed);
  return getDelivery(ctx, id);
}

const statement = `
  WITH target AS (SELECT id, slow FROM endpoint WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL),
  told AS (
    INSERT INTO event (id, account_id, name, created_at, data) SELECT $3, $2, $4, $5, $6 FROM target RETURNING n
  ),
  owed AS (
    INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, nudge_at)
    SELECT $7, target.id, told.n, $5, $5, $8 FROM target, told
    RETURNING id, endpoint_id, round
  )
  SELECT owed.*, NULL AS generation_id, target.slow FROM owed, target`;
