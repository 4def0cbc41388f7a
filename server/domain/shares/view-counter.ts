import type { HubParts } from "../../context";
import { jsonText, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { createDeferredWrite } from "../../lib/deferred-write";

const FLUSH_DELAY_MS = 2_000;
/** How many links a process counts at a time; views of others are not counted until the next write. */
const MAX_LINKS = 10_000;

interface ViewCounter {
  /** Counts a view of a link, for the next write. Never throws. */
  add: (id: string) => void;
  /** Writes what was counted. Never throws. */
  flush: () => Promise<void>;
}

/** The services for share links that the requests of one process share. */
export interface ShareServices {
  shareViews: ViewCounter;
}

type CounterParts = Pick<HubParts, "db" | "log" | "now">;

/** Returns the services of share links. */
export const createShareServices = (hub: CounterParts): ShareServices => ({ shareViews: createViewCounter(hub) });

/**
 * Returns a counter that writes at most once in two seconds, so that a popular link costs one update instead of thousands.
 */
function createViewCounter(hub: CounterParts): ViewCounter {
  let counts = new Map<string, number>();

  const write = async () => {
    const views = [...counts].map(([id, count]) => ({ id, count }));
    counts = new Map();
    if (views.length === 0) return;
    await addViews(hub.db, JSON.stringify(views), hub.now()).catch((error: unknown) =>
      hub.log.warn({ err: error, links: views.length }, "views of share links could not be stored"),
    );
  };
  const { schedule, flush } = createDeferredWrite(write, FLUSH_DELAY_MS);
  const add = (id: string) => {
    if (counts.size >= MAX_LINKS && !counts.has(id)) return;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    schedule();
  };
  return { add, flush };
}

/** Adds the views `$1` of links, which were last viewed at `$2`. Locks them in the order of their ids, as other processes do. */
const addViews = statement({
  params: [jsonText, timestamptz],
  row: {},
  text: `
    WITH viewed AS (SELECT * FROM json_to_recordset($1::json) AS row (id uuid, count int)),
    locked AS MATERIALIZED (
      SELECT id FROM share_link WHERE id IN (SELECT id FROM viewed) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE share_link SET views = views + viewed.count, last_viewed_at = greatest(last_viewed_at, $2)
    FROM locked JOIN viewed USING (id) WHERE share_link.id = locked.id`,
});
