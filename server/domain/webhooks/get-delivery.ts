import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { type Delivery, deliverySql } from "./delivery";

/** A delivery to an endpoint of the account; 404 `resource_not_found` for a missing, foreign or malformed id alike. */
export async function getDelivery(ctx: Ctx, id: string): Promise<Delivery> {
  const rows = isId(id)
    ? await ctx.db.query<Delivery>(
        `SELECT ${deliverySql} FROM delivery d JOIN event e ON e.n = d.event_n WHERE d.id = $1 AND e.account_id = $2`,
        [id, ctx.account.id],
      )
    : [];
  if (!rows[0]) throw noDelivery();
  return rows[0];
}

export const noDelivery = () => new AppError("resource_not_found", "There is no such delivery to an active endpoint.");
