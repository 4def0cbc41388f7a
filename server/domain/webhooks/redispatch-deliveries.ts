import type { Hub } from "../../context";
import { dispatchDeliveries, REDISPATCH_AFTER_SECONDS, type PendingDelivery } from "./dispatch-deliveries";

const MOST = 200;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Tells the engine again of deliveries of which it should have heard long ago; at a start of all that are due, since a
 * process that was killed may have taken their nudges with it. Bounded; answers how many.
 */
export async function redispatchDeliveries(hub: Hub, isStart = false): Promise<number> {
  const now = hub.now();
  const later = new Date(now.getTime() + REDISPATCH_AFTER_SECONDS * 1000);
  const deliveries = await hub.db.query<PendingDelivery>(
    `UPDATE delivery d SET nudge_at = $2 FROM endpoint p, event e
     WHERE p.id = d.endpoint_id AND e.n = d.event_n AND d.id IN (
       SELECT id FROM delivery WHERE state = 'pending' AND nudge_at < $4 AND next_attempt_at <= $1
       ORDER BY nudge_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING d.id, d.endpoint_id, e.generation_id, d.round, p.slow`,
    [now, later, MOST, isStart ? later : now],
  );
  dispatchDeliveries(hub, deliveries);
  return deliveries.length;
}

/** Removes events older than 30 days with their deliveries, unless one is pending, and endpoints revoked as long ago. */
export async function purgeEvents(hub: Hub, most: number): Promise<number> {
  const values = [new Date(hub.now().getTime() - KEPT_DAYS * DAY_MS), most];
  const events = await hub.db.query(oldEvents, values);
  const endpoints = await hub.db.query(oldEndpoints, values);
  return events.length + endpoints.length;
}

const oldEvents = `
  DELETE FROM event WHERE n IN (
    SELECT n FROM event e WHERE created_at < $1
      AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_n = e.n AND d.state = 'pending')
    ORDER BY created_at LIMIT $2)
  RETURNING n`;

const oldEndpoints = `
  DELETE FROM endpoint WHERE id IN (
    SELECT id FROM endpoint p WHERE revoked_at < $1
      AND NOT EXISTS (SELECT FROM delivery d WHERE d.endpoint_id = p.id) LIMIT $2)
  RETURNING id`;
