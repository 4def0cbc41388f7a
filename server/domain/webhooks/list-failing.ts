import type { Ctx } from "../../context";

/** An active endpoint of whose newest delivery the last try failed. */
export interface Failing {
  id: string;
  url: string;
  /** Of the last answer; null when there was none. */
  status: number | null;
  at: Date;
}

/** The account's active endpoints that do not take what they are sent: of the newest delivery that was tried, the last try failed. */
export const listFailing = (ctx: Ctx): Promise<Failing[]> =>
  ctx.db.query<Failing>(
    `SELECT p.id, p.url, tried.status, tried.started_at AS at FROM endpoint p, LATERAL (
       SELECT d.id, d.round FROM delivery d WHERE d.endpoint_id = p.id AND d.attempts > 0 ORDER BY d.event_n DESC LIMIT 1
     ) newest, LATERAL (
       SELECT a.status, a.started_at FROM delivery_attempt a
       WHERE a.delivery_id = newest.id AND a.round = newest.round ORDER BY a.n DESC LIMIT 1
     ) tried
     WHERE p.account_id = $1 AND p.revoked_at IS NULL AND (tried.status BETWEEN 200 AND 299) IS NOT TRUE
     ORDER BY p.place`,
    [ctx.account.id],
  );
