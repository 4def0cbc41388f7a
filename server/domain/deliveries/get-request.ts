import type { Ctx } from "../../context";
import { int4, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { checkPaymentEvents } from "../endpoints";
import { buildEnvelope, renderEvent } from "../envelopes";
import { eventColumns } from "../envelopes/sql";
import { deliveryNotFoundError } from "./delivery";
import type { DeliveriesHub } from "./hub";

/**
 * Returns the URL, the identifying headers and the exact body of a delivery, which are the same for every attempt.
 * Signature headers differ by attempt and are not stored. Throws 404 like `getDelivery`, and 403 for the event of
 * a payment to whoever may not see the account's payments.
 */
export async function getDeliveryRequest(ctx: Ctx<DeliveriesHub>, id: string) {
  const [delivery] = isId(id) ? await selectRequest(ctx.hub.db, id, ctx.account.id) : [];
  if (!delivery) throw deliveryNotFoundError();
  await checkPaymentEvents(ctx, [delivery.name]);
  return {
    url: delivery.url,
    headers: { "X-Service-Event": delivery.name, "X-Service-Delivery": delivery.id, "webhook-id": delivery.id },
    body: buildEnvelope(delivery.id, delivery, await renderEvent(ctx.hub, delivery)),
  };
}

const selectRequest = statement({
  params: [uuid, int4],
  row: { ...eventColumns, id: uuid, url: text, name: text, created_at: timestamptz },
  text: `
    SELECT d.id, p.url, e.n, e.name, e.created_at, e.snapshot, e.data
    FROM delivery d JOIN event e ON e.n = d.event_n JOIN endpoint p ON p.id = d.endpoint_id
    WHERE d.id = $1 AND e.account_id = $2`,
});
