import type { Queryable } from "../../server/db/client";
import { newId } from "../../server/lib/id";
import { CHANNEL } from "./engine-connection";

export interface SentEvent {
  id?: string;
  name: string;
  data: object;
  ts?: number;
}

/**
 * Hands events to whichever engine runs on this database, and answers their ids. An id that the caller chose counts
 * once in 24 hours. They are kept as one batch or not at all.
 */
export async function sendEvents(on: Queryable, now: Date, events: SentEvent[]): Promise<string[]> {
  const sent = events.map((event) => ({ ...event, id: event.id || newId(), ts: event.ts || now.getTime() }));
  await on.query(statement, [
    sent.map(({ name }) => name),
    sent.map((event) => JSON.stringify(event)),
    events.map(({ id }) => (id ? `event:${id}` : null)),
    now,
  ]);
  return sent.map(({ id }) => id);
}

const statement = `
  WITH sent AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS s (name, body, key, n)
  ),
  fresh AS (
    INSERT INTO engine.seen AS seen (key, at)
    SELECT DISTINCT key, $4::timestamptz FROM sent WHERE key IS NOT NULL ORDER BY key
    ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE seen.at <= excluded.at - interval '24 hours'
    RETURNING key
  ),
  first AS (
    SELECT min(n) AS n FROM sent WHERE key IN (SELECT key FROM fresh) GROUP BY key
    UNION ALL SELECT n FROM sent WHERE key IS NULL
  ),
  kept AS (
    INSERT INTO engine.event (name, body)
    SELECT name, body::json FROM sent WHERE n IN (SELECT n FROM first) ORDER BY n
    RETURNING n
  )
  SELECT pg_notify('${CHANNEL}', '') FROM kept LIMIT 1`;
