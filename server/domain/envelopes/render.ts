import type { HubParts } from "../../context";
import { array, int8, json, notNull, nullable, text } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { type Batcher, createBatcher } from "../../lib/batch";
import { parseSnapshot, type ReadHub, serializeGeneration, type Snapshot } from "../generations/read";

export const eventColumns = { n: int8, snapshot: nullable(json<Snapshot>()), data: nullable(text) };
export type EventRow = RowOf<typeof eventColumns>;

/** The services for envelopes that the requests of one process share. */
export interface EnvelopeServices {
  renderEvent: Batcher<EventRow, string>;
}

/**
 * Returns the JSON of an event's generation. It is stored before it is first used and never rendered again, so that
 * receivers get the same bytes even from a later version of the hub.
 */
export const renderEvent = async (hub: { services: EnvelopeServices }, event: EventRow): Promise<string> =>
  event.data ?? hub.services.renderEvent(event);

/** Returns the services of envelopes. */
export const createEnvelopeServices = (hub: Pick<HubParts, "db"> & ReadHub): EnvelopeServices => ({
  renderEvent: createBatcher(async (events) => {
    const numbers = events.map(({ n }) => n);
    const texts = events.map(({ snapshot }) => JSON.stringify(serializeGeneration(hub, parseSnapshot(snapshot!))));
    const known = new Map((await storeTexts(hub.db, numbers, texts)).map(({ n, data }) => [n, data]));
    // Another process has stored the missing texts first.
    const missing = numbers.filter((n) => !known.has(n));
    const others = missing.length > 0 ? await selectTexts(hub.db, missing) : [];
    for (const { n, data } of others) known.set(n, data);
    return numbers.map((n) => known.get(n)!);
  }),
});

const textColumns = { n: int8, data: notNull(text) };

const storeTexts = statement({
  params: [array(int8), array(text)],
  row: textColumns,
  text: `
    WITH rendered AS (SELECT DISTINCT ON (n) n, data FROM unnest($1::bigint[], $2::text[]) AS rendered (n, data)),
    locked AS MATERIALIZED (
      SELECT n FROM event WHERE n IN (SELECT n FROM rendered) AND data IS NULL ORDER BY n FOR NO KEY UPDATE
    )
    UPDATE event SET data = rendered.data, snapshot = NULL FROM rendered JOIN locked USING (n)
    WHERE event.n = rendered.n AND event.data IS NULL
    RETURNING event.n, event.data`,
});

const selectTexts = statement({
  params: [array(int8)],
  row: textColumns,
  text: "SELECT n, data FROM event WHERE n = ANY ($1::bigint[])",
});

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
