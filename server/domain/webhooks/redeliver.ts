import type { Ctx } from "../../context";
import { int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { dispatchDeliveries, REDISPATCH_AFTER_SECONDS, pendingColumns } from "../events/dispatch-deliveries";
import { type Delivery, getDelivery, deliveryNotFoundError } from "./delivery";

/**
 * Sends a delivery again at once, whatever its state, with the same id and body and a new retry schedule. Throws 404
 * like `getDelivery`, and when the endpoint is revoked.
 */
export async function redeliverDelivery(ctx: Ctx, id: string): Promise<Delivery> {
  const now = ctx.hub.now();
  const redispatchAt = new Date(now.getTime() + REDISPATCH_AFTER_SECONDS * 1000);
  const deliveries = isId(id) ? await startRound(ctx.hub.db, id, ctx.account.id, now, redispatchAt) : [];
  if (deliveries.length === 0) throw deliveryNotFoundError();
  dispatchDeliveries(ctx.hub, deliveries);
  return getDelivery(ctx, id);
}

const startRound = statement({
  params: [uuid, int4, timestamptz, timestamptz],
  row: pendingColumns,
  text: `
    UPDATE delivery d SET state = 'pending', round = d.round + 1, attempts = 0, ended_at = NULL,
                          next_attempt_at = $3, redispatch_at = $4, scheduled_at = $3
    FROM endpoint p, event e
    WHERE d.id = $1 AND e.n = d.event_n AND p.id = d.endpoint_id AND p.account_id = $2 AND p.revoked_at IS NULL
    RETURNING d.id, d.endpoint_id, e.generation_id, d.round, p.slow`,
});
