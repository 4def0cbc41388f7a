import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { type Delivery, deliverySql } from "./delivery";
import { getEndpoint } from "./get";

/** What was sent to an endpoint of the account, newest event first, each with every attempt. 404 as `getEndpoint`. */
export async function listDeliveries(
  ctx: Ctx,
  endpointId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ data: Delivery[]; next_cursor: string | null }> {
  await getEndpoint(ctx, endpointId);
  const scope = JSON.stringify(["deliveries", endpointId]);
  const before = cursor === undefined ? null : decodeCursor(ctx.secret, scope, cursor);
  const found = await ctx.db.query<Delivery>(
    `SELECT ${deliverySql} FROM delivery d JOIN event e ON e.n = d.event_n
     WHERE d.endpoint_id = $1 AND ($2::bigint IS NULL OR d.event_n < $2) ORDER BY d.event_n DESC LIMIT $3`,
    [endpointId, before, limit + 1],
  );
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.secret, scope, String(data.at(-1)!.n)) : null;
  return { data, next_cursor };
}
