import type { Ctx } from "../../context";
import { int4, int8, int8Number, nullable, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { isId } from "../../lib/id";
import { type Delivery, deliveryColumns, deliverySql } from "./delivery";
import { getEndpoint } from "./get";

/** Returns a delivery of the account; throws 404 `resource_not_found` for a missing, foreign or malformed id alike. */
export async function getDelivery(ctx: Ctx, id: string): Promise<Delivery> {
  const rows = isId(id) ? await selectDelivery(ctx.hub.db, id, ctx.account.id) : [];
  if (!rows[0]) throw deliveryNotFoundError();
  return rows[0];
}

const selectDelivery = statement({
  params: [uuid, int4],
  row: deliveryColumns,
  text: `SELECT ${deliverySql} FROM delivery d JOIN event e ON e.n = d.event_n WHERE d.id = $1 AND e.account_id = $2`,
});

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
  const found = await selectPage(ctx.hub.db, endpointId, before === null ? null : BigInt(before), limit + 1);
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.hub.secret, scope, String(data.at(-1)!.n)) : null;
  return { data, next_cursor };
}

const selectPage = statement({
  params: [uuid, nullable(int8), int8Number],
  row: deliveryColumns,
  text: `
    SELECT ${deliverySql} FROM delivery d JOIN event e ON e.n = d.event_n
    WHERE d.endpoint_id = $1 AND ($2::bigint IS NULL OR d.event_n < $2) ORDER BY d.event_n DESC LIMIT $3`,
});

/** Returns the deliveries of a generation's events, oldest event first, with the URL of each endpoint. */
export const listGenerationDeliveries = (ctx: Ctx, generationId: string): Promise<(Delivery & { url: string })[]> =>
  selectOfGeneration(ctx.hub.db, generationId, ctx.account.id);

const selectOfGeneration = statement({
  params: [uuid, int4],
  row: { ...deliveryColumns, url: text },
  text: `
    SELECT ${deliverySql}, p.url FROM event e JOIN delivery d ON d.event_n = e.n JOIN endpoint p ON p.id = d.endpoint_id
    WHERE e.generation_id = $1 AND e.account_id = $2 ORDER BY e.n, d.id`,
});
