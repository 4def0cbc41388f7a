import type { Queryable } from "../../server/db/client";
import { jsonText, timestamptz, voidResult } from "../../server/db/column-types";
import { statement } from "../../server/db/statement";
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
 * Queues events for any engine on this database, all of them or none, and returns their ids. An event whose caller
 * chose an id is dropped when that id was used within the last 24 hours.
 */
export async function sendEvents(db: Queryable, now: Date, events: SentEvent[]): Promise<string[]> {
  const sent = events.map((event) => ({ ...event, id: event.id || newId(), ts: event.ts || now.getTime() }));
  const rows = sent.map((event, n) => ({
    n,
    name: event.name,
    body: JSON.stringify(event),
    key: events[n]!.id ? `event:${event.id}` : null,
  }));
  await queueEvents(db, JSON.stringify(rows), now);
  return sent.map(({ id }) => id);
}

const queueEvents = statement({
  params: [jsonText, timestamptz],
  row: { pg_notify: voidResult },
  text: `
  WITH sent AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1) AS s (n integer, name text, body text, key text)
  ),
  new_key AS (
    INSERT INTO engine.processed_event AS processed (key, processed_at)
    SELECT DISTINCT key, $2::timestamptz FROM sent WHERE key IS NOT NULL ORDER BY key
    ON CONFLICT (key) DO UPDATE SET processed_at = excluded.processed_at
      WHERE processed.processed_at <= excluded.processed_at - interval '24 hours'
    RETURNING key
  ),
  accepted AS (
    SELECT min(n) AS n FROM sent WHERE key IN (SELECT key FROM new_key) GROUP BY key
    UNION ALL SELECT n FROM sent WHERE key IS NULL
  ),
  queued AS (
    INSERT INTO engine.event (name, body)
    SELECT name, body::json FROM sent WHERE n IN (SELECT n FROM accepted) ORDER BY n
    RETURNING position
  )
  SELECT pg_notify('${ENGINE_CHANNEL}', '') FROM queued LIMIT 1`,
});
