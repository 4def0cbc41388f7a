import { int8, int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { dispatchDeliveries, getRedispatchTime, REDISPATCH_AFTER_SECONDS } from "../events";
import { pendingColumns } from "../events/sql";
import { HOST_RETENTION_DAYS } from "../endpoints";
import { selectUnsettledSql } from "../generations/row/sql";
import type { DeliveriesHub } from "./hub";

const MAX_DELIVERIES = 200;
/** How many of each endpoint are read at least, however many endpoints share the 200. */
const MIN_PER_ENDPOINT = 16;
/** How long events and their deliveries are kept. */
export const EVENT_RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Dispatches due deliveries again whose `delivery/due` was probably lost; when a process starts, all that are due, the latest
 * first, because a killed process may have lost theirs. Endpoints take turns. Returns how many, at most 200.
 */
export async function redispatchDeliveries(hub: DeliveriesHub, isStart = false): Promise<number> {
  const now = hub.now();
  const later = getRedispatchTime(now);
  const deliveries = isStart
    ? await updateLatest(hub.db, now, later, MAX_DELIVERIES, later)
    : await updateOldest(hub.db, now, later, MAX_DELIVERIES, now);
  dispatchDeliveries(hub, deliveries);
  return deliveries.length;
}

// The recursive CTE is an index skip scan, which costs one index lookup for each endpoint with pending deliveries. The first of
// each endpoint come before the second, so that no backlog delays those of other endpoints.
const staleStatement = (order: "ASC" | "DESC") => {
  const isStaleSql = "d.state = 'pending' AND d.redispatch_at < $4 AND d.next_attempt_at <= $1";
  return statement({
    params: [timestamptz, timestamptz, int8Number, timestamptz],
    row: pendingColumns,
    text: `
    WITH RECURSIVE pending AS (
      (SELECT endpoint_id FROM delivery WHERE state = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT next.endpoint_id FROM pending CROSS JOIN LATERAL (
        SELECT endpoint_id FROM delivery WHERE state = 'pending' AND endpoint_id > pending.endpoint_id
        ORDER BY endpoint_id LIMIT 1) next
    ),
    due AS MATERIALIZED (
      SELECT endpoint_id FROM pending
      WHERE EXISTS (SELECT FROM delivery d WHERE d.endpoint_id = pending.endpoint_id AND ${isStaleSql})
    ),
    stale AS MATERIALIZED (
      SELECT d.id FROM due CROSS JOIN LATERAL (
        SELECT d.id, d.redispatch_at, row_number() OVER (ORDER BY d.redispatch_at ${order}) AS rank
        FROM delivery d WHERE d.endpoint_id = due.endpoint_id AND ${isStaleSql}
        ORDER BY d.redispatch_at ${order} LIMIT (SELECT greatest($3 / count(*), ${MIN_PER_ENDPOINT}) FROM due)) d
      ORDER BY d.rank, d.redispatch_at ${order} LIMIT $3
    ),
    locked AS MATERIALIZED (
      SELECT d.id FROM delivery d WHERE d.id = ANY (ARRAY(SELECT id FROM stale)) AND ${isStaleSql}
      ORDER BY d.id FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE delivery d SET redispatch_at = $2 FROM locked, endpoint p, event e
    WHERE d.id = locked.id AND p.id = d.endpoint_id AND e.n = d.event_n
    RETURNING d.id, d.endpoint_id, e.generation_id, d.round, p.slow`,
  });
};

const updateOldest = staleStatement("ASC");
const updateLatest = staleStatement("DESC");

/**
 * Deletes up to `limit` events older than 30 days without a pending delivery, with their deliveries; up to `limit` endpoints
 * without deliveries that were revoked that long ago; and up to `limit` hosts without deliveries that no generation or batch
 * has named since then. Returns how many events, endpoints and hosts.
 */
export async function purgeEvents(hub: DeliveriesHub, limit: number): Promise<number> {
  const before = new Date(hub.now().getTime() - EVENT_RETENTION_DAYS * DAY_MS);
  const events = await deleteOldEvents(hub.db, before, limit);
  const endpoints = await deleteOldEndpoints(hub.db, before, limit);
  const hosts = await deleteUnusedHosts(hub.db, new Date(hub.now().getTime() - HOST_RETENTION_DAYS * DAY_MS), limit);
  return events.length + endpoints.length + hosts.length;
}

const deleteOldEvents = statement({
  params: [timestamptz, int8Number],
  row: { n: int8 },
  text: `
    DELETE FROM event WHERE n IN (
      SELECT n FROM event e WHERE created_at < $1
        AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_n = e.n AND d.state = 'pending')
      ORDER BY created_at LIMIT $2)
    RETURNING n`,
});

// A resumed training would create a revoked host again if the revocation were forgotten.
const deleteOldEndpoints = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    DELETE FROM endpoint WHERE id IN (
      SELECT id FROM endpoint p WHERE revoked_at < $1
        AND NOT EXISTS (SELECT FROM delivery d WHERE d.endpoint_id = p.id)
        AND NOT EXISTS (SELECT FROM character c JOIN generation g ON g.character_id = c.id
                        WHERE c.account_id = p.account_id AND c.deleted_at IS NULL AND p.position IS NULL
                          AND g.webhook ->> 'endpoint_id' = p.id::text) LIMIT $2)
    RETURNING id`,
});

// A generation or a batch may have waited for that long, for example for a worker.
const deleteUnusedHosts = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    DELETE FROM endpoint WHERE id IN (
      SELECT id FROM endpoint p WHERE used_at < $1 AND revoked_at IS NULL
        AND NOT EXISTS (SELECT FROM delivery d WHERE d.endpoint_id = p.id)
        AND NOT EXISTS (SELECT FROM (${selectUnsettledSql("account_id, webhook")}) g
                        WHERE g.account_id = p.account_id AND g.webhook ->> 'endpoint_id' = p.id::text)
        AND NOT EXISTS (SELECT FROM batch b WHERE b.completed_at IS NULL
                          AND b.account_id = p.account_id AND b.webhook ->> 'endpoint_id' = p.id::text) LIMIT $2)
    RETURNING id`,
});

/** Reschedules deliveries that were scheduled before the system clock was set back. Returns how many. */
export async function pullBackDeliveries(hub: DeliveriesHub): Promise<number> {
  return (await updateLate(hub.db, hub.now())).length;
}

const scheduledAtSql = "coalesce(scheduled_at, created_at)";

const updateLate = statement({
  params: [timestamptz],
  row: { id: uuid },
  text: `
  WITH late AS MATERIALIZED (
    SELECT id, greatest(next_attempt_at - greatest(${scheduledAtSql} - $1::timestamptz, interval '0'), $1) AS next_attempt_at
    FROM delivery
    WHERE state = 'pending' AND (${scheduledAtSql} > $1 OR redispatch_at > greatest(next_attempt_at, $1) + interval '${REDISPATCH_AFTER_SECONDS} s')
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE delivery d SET next_attempt_at = late.next_attempt_at, scheduled_at = least($1, ${scheduledAtSql}),
    redispatch_at = least(d.redispatch_at, late.next_attempt_at + interval '${REDISPATCH_AFTER_SECONDS} s')
  FROM late WHERE d.id = late.id
  RETURNING d.id`,
});
