import type { EventName } from "./endpoint";
import { REDISPATCH_AFTER_SECONDS } from "./dispatch-deliveries";

interface Fact {
  event: EventName;
  /** A CTE or subselect of generations with `follows_events`, each under the lock of its account. */
  changed: string;
  /** When it happened: a parameter, or an expression over `changed`. */
  at: string;
  /** An expression over `changed`. */
  snapshot: string;
}

/**
 * SQL: writes down an event for every changed generation whose account follows, and a delivery for each endpoint
 * that subscribed to it. Makes the CTEs `told` and `owed`. Part of the statement that makes the change, so that no
 * event is lost and none is told before it is true.
 */
export const emitEventsSql = ({ event, changed, at, snapshot }: Fact): string => `
  told AS (
    INSERT INTO event (id, account_id, name, generation_id, created_at, snapshot)
    SELECT gen_random_uuid(), account_id, '${event}', id, ${at}::timestamptz, ${snapshot}
    FROM ${changed} changed WHERE follows_events
    RETURNING n, account_id, generation_id, created_at
  ),
  owed AS (
    INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, nudge_at)
    SELECT gen_random_uuid(), endpoint.id, told.n, told.created_at, told.created_at, told.created_at + interval '${REDISPATCH_AFTER_SECONDS} seconds'
    FROM told JOIN endpoint USING (account_id)
    WHERE endpoint.revoked_at IS NULL AND '${event}' = ANY (endpoint.events)
    RETURNING id, endpoint_id, event_n, round
  )`;

/** SQL: the column `owed`, the deliveries that `tellSql` made for one generation. */
export const pendingDeliveriesSql = (generationId: string): string => `(
  SELECT json_agg(json_build_object('id', owed.id, 'endpoint_id', endpoint.id, 'generation_id', told.generation_id, 'round', owed.round, 'slow', endpoint.slow))
  FROM told JOIN owed ON owed.event_n = told.n JOIN endpoint ON endpoint.id = owed.endpoint_id
  WHERE told.generation_id = ${generationId}) AS owed`;
