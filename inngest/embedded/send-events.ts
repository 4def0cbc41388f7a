import type { Queryable } from "../../server/db/client";
import { newId } from "../../server/lib/id";
import { ENGINE_CHANNEL } from "./engine-connection";

export interface SentEvent {
  id?: string;
  name: string;
  data: object;
  /** Milliseconds since 1970. */
  ts?: number;
}

/**
 * Queues events for any engine on this database, all of them or none, and returns their ids. An event whose caller chose
 * an id is dropped when that id was used within the last 24 hours.
 */
export async function sendEvents(db: Queryable, now: Date, events: SentEvent[]): Promise<string[]> {
  const sent = events.map((event) => ({ ...event, id: event.id || newId(), ts: event.ts || now.getTime() }));
  await db.query(queueEventsSql, [
    sent.map(({ name }) => name),
    sent.map((event) => JSON.stringify(event)),
    events.map(({ id }) => (id ? `event:${id}` : null)),
    now,
  ]);
  return sent.map(({ id }) => id);
}

const queueEventsSql = `
  WITH sent AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS s (name, body, dedupe_key, n)
  ),
  new_key AS (
    INSERT INTO engine.seen AS processed (key, at)
    SELECT DISTINCT dedupe_key, $4::timestamptz FROM sent WHERE dedupe_key IS NOT NULL ORDER BY dedupe_key
    ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE processed.at <= excluded.at - interval '24 hours'
    RETURNING key
  ),
  accepted AS (
    SELECT min(n) AS n FROM sent WHERE dedupe_key IN (SELECT key FROM new_key) GROUP BY dedupe_key
    UNION ALL SELECT n FROM sent WHERE dedupe_key IS NULL
  ),
  queued AS (
    INSERT INTO engine.event (name, body)
    SELECT name, body::json FROM sent WHERE n IN (SELECT n FROM accepted) ORDER BY n
    RETURNING n
  )
  SELECT pg_notify('${ENGINE_CHANNEL}', '') FROM queued LIMIT 1`;
