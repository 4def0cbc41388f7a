import type { Ctx } from "../../context";
import { type Endpoint, endpointSql } from "./endpoint";

const MAX_LISTED_ENDPOINTS = 100;

/**
 * Returns the account's endpoints, active before revoked, newest first. Revoked endpoints are stored as long as their
 * deliveries.
 */
export const listEndpoints = (ctx: Ctx): Promise<Endpoint[]> =>
  ctx.hub.db.query<Endpoint>(
    `SELECT ${endpointSql} FROM endpoint WHERE account_id = $1 ORDER BY revoked_at IS NOT NULL, id DESC LIMIT ${MAX_LISTED_ENDPOINTS}`,
    [ctx.account.id],
  );
