import type { Ctx } from "../../context";
import { isId } from "../../lib/id";
import { buildEnvelope, type EventRow, renderEvent } from "./render";
import { deliveryNotFoundError } from "./find-deliveries";

/**
 * What a delivery of the account carries, the same at every attempt: the headers that name it, and the body to the
 * byte. Signatures are made anew for each attempt and stand nowhere. 404 as `getDelivery`.
 */
export async function getDeliveryRequest(ctx: Ctx, id: string) {
  const [told] = isId(id) ? await ctx.db.query<Told>(statement, [id, ctx.account.id]) : [];
  if (!told) throw deliveryNotFoundError();
  return {
    url: told.url,
    headers: { "X-Service-Event": told.name, "X-Service-Delivery": told.id, "webhook-id": told.id },
    body: buildEnvelope(told.id, told, await renderEvent(ctx.hub, told)),
  };
}

interface Told extends EventRow {
  id: string;
  url: string;
  name: string;
  created_at: Date;
}

const statement = `
  SELECT d.id, p.url, e.n, e.name, e.created_at, e.snapshot, e.data
  FROM delivery d JOIN event e ON e.n = d.event_n JOIN endpoint p ON p.id = d.endpoint_id
  WHERE d.id = $1 AND e.account_id = $2`;
