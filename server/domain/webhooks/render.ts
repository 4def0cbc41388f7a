import type { Hub } from "../../context";
import { createBatcher } from "../../lib/batch";
import { memoizePer } from "../../lib/memoize-per";
import { serializeGeneration } from "../generations/serialize-generation";
import { parseSnapshot, type Snapshot } from "../generations/snapshot";

export interface EventRow {
  n: bigint;
  snapshot: Snapshot | null;
  data: string | null;
}

/**
 * The JSON of an event's generation. It is written down the first time, before anybody sees it, and never made
 * again: whatever a later version of the hub would write, receivers get the same bytes.
 */
export const renderEvent = async (hub: Hub, event: EventRow): Promise<string> => event.data ?? shared(hub)(event);

const shared = memoizePer((hub: Hub) =>
  createBatcher<EventRow, string>(async (events) => {
    const numbers = events.map(({ n }) => n);
    const texts = events.map(({ snapshot }) => JSON.stringify(serializeGeneration(hub, parseSnapshot(snapshot!))));
    const written = await hub.db.query<Written>(write, [numbers, texts]);
    const known = new Map(written.map(({ n, data }) => [n, data]));
    // Somebody else was first, and theirs counts.
    const missing = numbers.filter((n) => !known.has(n));
    const others = missing.length > 0 ? await hub.db.query<Written>(read, [missing]) : [];
    for (const { n, data } of others) known.set(n, data);
    return numbers.map((n) => known.get(n)!);
  }),
);

interface Written {
  n: bigint;
  data: string;
}

const write = `
  WITH given AS (SELECT DISTINCT ON (n) n, data FROM unnest($1::bigint[], $2::text[]) AS given (n, data)),
  locked AS MATERIALIZED (
    SELECT n FROM event WHERE n IN (SELECT n FROM given) AND data IS NULL ORDER BY n FOR NO KEY UPDATE
  )
  UPDATE event SET data = given.data, snapshot = NULL FROM given JOIN locked USING (n)
  WHERE event.n = given.n AND event.data IS NULL
  RETURNING event.n, event.data`;

const read = "SELECT n, data FROM event WHERE n = ANY ($1::bigint[])";

/**
 * Returns the envelope of an event as text (specification, section 6). `data` is the stored text, so that every attempt
 * sends the same bytes; `id` is the delivery's, or the event's own in the feed.
 */
export const buildEnvelope = (
  id: string,
  { name, created_at }: { name: string; created_at: Date },
  data: string,
): string =>
  `{"id":${JSON.stringify(id)},"event":${JSON.stringify(name)},"created_at":"${created_at.toISOString()}","data":${data}}`;
