import type { Ctx } from "../../context";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { type Endpoint, endpointColumns, endpointSql } from "./endpoint";

const MAX_LISTED_ENDPOINTS = 100;

/**
 * Returns the account's endpoints, active before revoked, newest first. Revoked endpoints are stored as long as their
 * deliveries.
 */
export const listEndpoints = (ctx: Ctx): Promise<Endpoint[]> => selectEndpoints(ctx.hub.db, ctx.account.id);

const selectEndpoints = statement({
  params: [int4],
  row: endpointColumns,
  text: `
    SELECT ${endpointSql} FROM endpoint WHERE account_id = $1
    ORDER BY revoked_at IS NOT NULL, id DESC LIMIT ${MAX_LISTED_ENDPOINTS}`,
});
