import type { Ctx } from "../../context";

/** An active endpoint whose newest try failed. */
export interface FailingEndpoint {
  id: string;
  url: string;
  /** Of the last answer; null when there was none. */
  status: number | null;
  at: Date;
}

/**
 * The account's active endpoints that do not take what they are sent: the newest try failed, whichever delivery it was
 * of. So an older one that is sent again and taken clears it.
 */
export const listFailingEndpoints = (ctx: Ctx): Promise<FailingEndpoint[]> =>
  ctx.db.query<FailingEndpoint>(
    `SELECT p.id, p.url, tried.status, tried.started_at AS at FROM endpoint p, LATERAL (
       SELECT a.status, a.started_at FROM delivery_attempt a
       WHERE a.endpoint_id = p.id ORDER BY a.started_at DESC LIMIT 1
     ) tried
     WHERE p.account_id = $1 AND p.revoked_at IS NULL AND (tried.status BETWEEN 200 AND 299) IS NOT TRUE
     ORDER BY p.place`,
    [ctx.account.id],
  );
