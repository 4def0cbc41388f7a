import type { Ctx } from "../../context";
import { isId } from "../../lib/id";
import { buildEnvelope, type EventRow, renderEvent } from "./render";
import { deliveryNotFoundError } from "./find-deliveries";

/**
 * Returns the URL, the identifying headers and the exact body of a delivery, which are the same for every attempt.
 * Signature headers differ by attempt and are not stored. Throws 404 like `getDelivery`.
 */
export async function getDeliveryRequest(ctx: Ctx, id: string) {
  const [delivery] = isId(id) ? await ctx.hub.db.query<Row>(findRequestSql, [id, ctx.account.id]) : [];
  if (!delivery) throw deliveryNotFoundError();
  return {
    url: delivery.url,
    headers: { "X-Service-Event": delivery.name, "X-Service-Delivery": delivery.id, "webhook-id": delivery.id },
    body: buildEnvelope(delivery.id, delivery, await renderEvent(ctx.hub, delivery)),
  };
}

interface Row extends EventRow {
  id: string;
  url: string;
  name: string;
  created_at: Date;
}

const findRequestSql = `
  SELECT d.id, p.url, e.n, e.name, e.created_at, e.snapshot, e.data
  FROM delivery d JOIN event e ON e.n = d.event_n JOIN endpoint p ON p.id = d.endpoint_id
  WHERE d.id = $1 AND e.account_id = $2`;
