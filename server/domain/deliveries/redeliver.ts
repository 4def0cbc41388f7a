import type { Ctx } from "../../context";
import { array, int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { dispatchDeliveries, getRedispatchTime } from "../events";
import { pendingColumns } from "../events/sql";
import { endpointNotFoundError, getEndpoint } from "../endpoints";
import { type Delivery, getDelivery, deliveryNotFoundError } from "./delivery";
import type { DeliveriesHub } from "./hub";

/**
 * Sends a delivery again at once, whatever its state, with the same id and body and a new retry schedule. Throws 404
 * like `getDelivery`, when the endpoint is revoked, and when the address was erased with the content of its generation.
 */
export async function redeliverDelivery(ctx: Ctx<DeliveriesHub>, id: string): Promise<Delivery> {
  if ((await redeliverDeliveries(ctx, [id])) === 0) throw deliveryNotFoundError();
  return getDelivery(ctx, id);
}

/** Sends several deliveries again, except those for which `redeliverDelivery` would throw. Returns how many. */
export async function redeliverDeliveries(ctx: Ctx<DeliveriesHub>, ids: string[]): Promise<number> {
  const now = ctx.hub.now();
  const deliveries = await startRounds(ctx.hub.db, ids.filter(isId), ctx.account.id, now, getRedispatchTime(now));
  dispatchDeliveries(ctx.hub, deliveries);
  return deliveries.length;
}

/** The most deliveries that one call of `redeliverFailed` sends again. */
export const MAX_REDELIVERED = 200;

/**
 * Sends the failed deliveries of an endpoint again, at most the newest 200. Returns how many. Throws
 * 404 like `getEndpoint`, and when the endpoint is revoked.
 */
export async function redeliverFailed(ctx: Ctx<DeliveriesHub>, endpointId: string): Promise<number> {
  if ((await getEndpoint(ctx, endpointId)).revoked_at !== null) throw endpointNotFoundError();
  const now = ctx.hub.now();
  const deliveries = await startFailedRounds(ctx.hub.db, endpointId, ctx.account.id, now, getRedispatchTime(now));
  dispatchDeliveries(ctx.hub, deliveries);
  return deliveries.length;
}

/** SQL: starts a new round of the deliveries `chosen`, whose rows it locks in the order of their ids. */
const startRoundsSql = (chosen: string) => `
    WITH chosen AS MATERIALIZED (
      SELECT d.id FROM delivery d JOIN endpoint p ON p.id = d.endpoint_id
      WHERE ${chosen} AND p.account_id = $2 AND p.revoked_at IS NULL AND d.url IS DISTINCT FROM ''
      ORDER BY d.id FOR NO KEY UPDATE OF d
    )
    UPDATE delivery d SET state = 'pending', round = d.round + 1, attempts = 0, ended_at = NULL,
                          next_attempt_at = $3, redispatch_at = $4, scheduled_at = $3
    FROM chosen, endpoint p, event e
    WHERE d.id = chosen.id AND e.n = d.event_n AND p.id = d.endpoint_id
    RETURNING d.id, d.endpoint_id, e.generation_id, d.round, p.slow`;

const startRounds = statement({
  params: [array(uuid), int4, timestamptz, timestamptz],
  row: pendingColumns,
  text: startRoundsSql("d.id = ANY($1)"),
});

// The state is checked again after the row is locked, so that two calls never send a delivery twice.
const startFailedRounds = statement({
  params: [uuid, int4, timestamptz, timestamptz],
  row: pendingColumns,
  text: startRoundsSql(`d.state = 'failed' AND d.id IN (
        SELECT id FROM delivery WHERE endpoint_id = $1 AND state = 'failed'
        ORDER BY event_n DESC LIMIT ${MAX_REDELIVERED})`),
});
