import type { Ctx } from "../../../context";
import { toEuros } from "../../../lib/money";
import { int4, int8, int8Number, text, textOf, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { unsettledStatesSql } from "../../accounts/sql";
import type { Status } from "../row";
import type { ReadHub } from "./hub";

const holdColumns = {
  id: uuid,
  model: text,
  status: textOf<Status>(),
  estimated_cost: int8,
  created_at: timestamptz,
};

type Hold = RowOf<typeof holdColumns>;

/** Returns the account's newest holds, at most `limit`: its unsettled generations. */
export const listHolds = (ctx: Ctx<ReadHub>, limit: number): Promise<Hold[]> =>
  selectHolds(ctx.hub.db, ctx.account.id, limit);

const selectHolds = statement({
  params: [int4, int8Number],
  row: holdColumns,
  text: `
    SELECT hold.* FROM unnest(ARRAY[${unsettledStatesSql}]) AS unsettled (status), LATERAL (
       SELECT g.id, g.model, g.status, g.estimated_cost, g.created_at FROM generation g
       WHERE g.account_id = $1 AND g.status = unsettled.status ORDER BY g.id DESC LIMIT $2
     ) hold ORDER BY hold.id DESC LIMIT $2`,
});

/** Returns a hold for the console. */
export const serializeHold = ({ estimated_cost, created_at, ...hold }: Hold) => ({
  ...hold,
  held: toEuros(estimated_cost),
  created_at: created_at.toISOString(),
});
