import type { Ctx } from "../../context";
import { type Nano, toEuros } from "../../lib/money";
import type { Status } from "./transitions";

export interface Hold {
  id: string;
  model: string;
  status: Status;
  estimated_cost: Nano;
  created_at: Date;
}

/** Returns the account's newest holds, at most `limit`: its unsettled generations. */
export const listHolds = (ctx: Ctx, limit: number): Promise<Hold[]> =>
  ctx.hub.db.query<Hold>(
    `SELECT hold.* FROM unnest(ARRAY['queued', 'running', 'awaiting_supply']) AS unsettled (status), LATERAL (
       SELECT g.id, g.model, g.status, g.estimated_cost, g.created_at FROM generation g
       WHERE g.account_id = $1 AND g.status = unsettled.status ORDER BY g.id DESC LIMIT $2
     ) hold ORDER BY hold.id DESC LIMIT $2`,
    [ctx.account.id, limit],
  );

/** Returns a hold for the console. */
export const serializeHold = ({ estimated_cost, created_at, ...hold }: Hold) => ({
  ...hold,
  held: toEuros(estimated_cost),
  created_at: created_at.toISOString(),
});
