import type { Ctx } from "../../context";
import { type Delivery, deliverySql } from "./delivery";

/** What endpoints were told of the account's generation, in the order of its events, with each endpoint's address. */
export const listGenerationDeliveries = (ctx: Ctx, generationId: string): Promise<(Delivery & { url: string })[]> =>
  ctx.db.query(
    `SELECT ${deliverySql}, p.url FROM event e JOIN delivery d ON d.event_n = e.n JOIN endpoint p ON p.id = d.endpoint_id
     WHERE e.generation_id = $1 AND e.account_id = $2 ORDER BY e.n, d.id`,
    [generationId, ctx.account.id],
  );
