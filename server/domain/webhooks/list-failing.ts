import type { Ctx } from "../../context";
import { int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";

const failingColumns = {
  id: uuid,
  url: text,
  /** HTTP status of the latest response; null when there was none. */
  status: nullable(int4),
  at: timestamptz,
};

/** An active endpoint whose latest attempt failed. */
export type FailingEndpoint = RowOf<typeof failingColumns>;

/**
 * Returns the account's active endpoints whose latest attempt failed, whichever delivery it belonged to. A successful
 * redelivery of an older event therefore removes the endpoint from the list.
 */
export const listFailingEndpoints = (ctx: Ctx): Promise<FailingEndpoint[]> => selectFailing(ctx.hub.db, ctx.account.id);

const selectFailing = statement({
  params: [int4],
  row: failingColumns,
  text: `
    SELECT p.id, p.url, latest.status, latest.started_at AS at FROM endpoint p, LATERAL (
       SELECT a.status, a.started_at FROM delivery_attempt a
       WHERE a.endpoint_id = p.id ORDER BY a.started_at DESC LIMIT 1
     ) latest
     WHERE p.account_id = $1 AND p.revoked_at IS NULL AND (latest.status BETWEEN 200 AND 299) IS NOT TRUE
     ORDER BY p.position`,
});
