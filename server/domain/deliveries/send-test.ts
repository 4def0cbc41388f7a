import type { Ctx } from "../../context";
import { int4, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId, newId } from "../../lib/id";
import { dispatchDeliveries, getRedispatchTime, TEST_EVENT } from "../events";
import { pendingColumns } from "../events/sql";
import { buildExampleGeneration } from "../envelopes";
import { endpointNotFoundError } from "../endpoints";
import { type Delivery, getDelivery } from "./delivery";
import type { DeliveriesHub } from "./hub";

/**
 * Sends an endpoint a `webhook.test` event with an example generation, whatever events it subscribes to. It is
 * attempted once and does not appear in the feed. Throws 404 for an endpoint that does not exist or is revoked, and for a host.
 */
export async function sendTest(ctx: Ctx<DeliveriesHub>, endpointId: string): Promise<Delivery> {
  if (!isId(endpointId)) throw endpointNotFoundError();
  const id = newId();
  const now = ctx.hub.now();
  const data = JSON.stringify(buildExampleGeneration(ctx.hub, now));
  const values = [endpointId, ctx.account.id, newId(), TEST_EVENT, now, data, id, getRedispatchTime(now)] as const;
  const deliveries = await insertTestEvent(ctx.hub.db, ...values);
  if (deliveries.length === 0) throw endpointNotFoundError();
  dispatchDeliveries(ctx.hub, deliveries);
  return getDelivery(ctx, id);
}

const insertTestEvent = statement({
  params: [uuid, int4, uuid, text, timestamptz, text, uuid, timestamptz],
  row: pendingColumns,
  text: `
    WITH target AS (SELECT id, slow FROM endpoint WHERE id = $1 AND account_id = $2 AND position IS NOT NULL AND revoked_at IS NULL),
    new_event AS (
      INSERT INTO event (id, account_id, name, created_at, data) SELECT $3, $2, $4, $5, $6 FROM target RETURNING n
    ),
    new_delivery AS (
      INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at)
      SELECT $7, target.id, new_event.n, $5, $5, $8 FROM target, new_event
      RETURNING id, endpoint_id, round
    )
    SELECT new_delivery.*, NULL::uuid AS generation_id, target.slow FROM new_delivery, target`,
});
