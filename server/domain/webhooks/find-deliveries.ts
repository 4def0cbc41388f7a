import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { isId } from "../../lib/id";
import { type Delivery, deliverySql } from "./delivery";
import { getEndpoint } from "./get";

/** Returns a delivery of the account; throws 404 `resource_not_found` for a missing, foreign or malformed id alike. */
export async function getDelivery(ctx: Ctx, id: string): Promise<Delivery> {
  const rows = isId(id)
    ? await ctx.hub.db.query<Delivery>(
        `SELECT ${deliverySql} FROM delivery d JOIN event e ON e.n = d.event_n WHERE d.id = $1 AND e.account_id = $2`,
        [id, ctx.account.id],
      )
    : [];
  if (!rows[0]) throw deliveryNotFoundError();
  return rows[0];
}

/** Returns the 404 error for a delivery that does not exist or whose endpoint is revoked. */
export const deliveryNotFoundError = () =>
  new AppError("resource_not_found", "There is no such delivery to an active endpoint.");

/** Returns a page of an endpoint's deliveries, newest event first, with all attempts. Throws 404 like `getEndpoint`. */
export async function listDeliveries(
  ctx: Ctx,
  endpointId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ data: Delivery[]; next_cursor: string | null }> {
  await getEndpoint(ctx, endpointId);
  const scope = JSON.stringify(["deliveries", endpointId]);
  const before = cursor === undefined ? null : decodeCursor(ctx.hub.secret, scope, cursor);
  const found = await ctx.hub.db.query<Delivery>(
    `SELECT ${deliverySql} FROM delivery d JOIN event e ON e.n = d.event_n
     WHERE d.endpoint_id = $1 AND ($2::bigint IS NULL OR d.event_n < $2) ORDER BY d.event_n DESC LIMIT $3`,
    [endpointId, before, limit + 1],
  );
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.hub.secret, scope, String(data.at(-1)!.n)) : null;
  return { data, next_cursor };
}

/** Returns the deliveries of a generation's events, oldest event first, with the URL of each endpoint. */
export const listGenerationDeliveries = (ctx: Ctx, generationId: string): Promise<(Delivery & { url: string })[]> =>
  ctx.hub.db.query(
    `SELECT ${deliverySql}, p.url FROM event e JOIN delivery d ON d.event_n = e.n JOIN endpoint p ON p.id = d.endpoint_id
     WHERE e.generation_id = $1 AND e.account_id = $2 ORDER BY e.n, d.id`,
    [generationId, ctx.account.id],
  );
