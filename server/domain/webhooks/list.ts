import type { Ctx } from "../../context";
import { type Endpoint, endpointSql } from "./endpoint";

const MOST = 100;

/** The account's endpoints, newest first; those that were revoked stay for as long as their deliveries are kept. */
export const listEndpoints = (ctx: Ctx): Promise<Endpoint[]> =>
  ctx.db.query<Endpoint>(
    `SELECT ${endpointSql} FROM endpoint WHERE account_id = $1 ORDER BY revoked_at IS NOT NULL, id DESC LIMIT ${MOST}`,
    [ctx.account.id],
  );
