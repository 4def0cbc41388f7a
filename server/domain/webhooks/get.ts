import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { type Endpoint, endpointSql } from "./endpoint";

/**
 * Returns an endpoint of the account, active or revoked; throws 404 `resource_not_found` for a missing, foreign or
 * malformed id alike.
 */
export async function getEndpoint(ctx: Ctx, id: string): Promise<Endpoint> {
  const rows = isId(id)
    ? await ctx.hub.db.query<Endpoint>(`SELECT ${endpointSql} FROM endpoint WHERE id = $1 AND account_id = $2`, [
        id,
        ctx.account.id,
      ])
    : [];
  if (!rows[0]) throw endpointNotFoundError();
  return rows[0];
}

/** Returns the 404 error for an endpoint that does not exist. */
export const endpointNotFoundError = () => new AppError("resource_not_found", "There is no such webhook endpoint.");
