import type { Ctx } from "../../context";
import { int4, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { type Endpoint, endpointColumns, endpointSql } from "./endpoint";

/**
 * Returns an endpoint of the account, active or revoked; throws 404 `resource_not_found` for a missing, foreign or
 * malformed id alike.
 */
export async function getEndpoint(ctx: Ctx, id: string): Promise<Endpoint> {
  const rows = isId(id) ? await selectEndpoint(ctx.hub.db, id, ctx.account.id) : [];
  if (!rows[0]) throw endpointNotFoundError();
  return rows[0];
}

const selectEndpoint = statement({
  params: [uuid, int4],
  row: endpointColumns,
  text: `SELECT ${endpointSql} FROM endpoint WHERE id = $1 AND account_id = $2`,
});

/** Returns the 404 error for an endpoint that does not exist. */
export const endpointNotFoundError = () => new AppError("resource_not_found", "There is no such webhook endpoint.");
