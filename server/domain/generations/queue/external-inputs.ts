import { int4, int8Number, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { awaitsInputsSql } from "../../input-files/sql";
import type { QueueHub } from "./hub";

const STALE_AFTER_MS = 60_000;
const MAX_GENERATIONS = 200;

/**
 * Dispatches the fetch event again for generations that wait for external inputs, and returns how many: those dispatched
 * more than a minute ago, or `all` after a start. Duplicate events are harmless.
 */
export async function redispatchFetches(hub: QueueHub, all: boolean): Promise<number> {
  const now = hub.now();
  const before = all ? now : new Date(now.getTime() - STALE_AFTER_MS);
  const rows = await redispatch(hub.db, now, before, MAX_GENERATIONS);
  for (const { id, account_id } of rows) hub.publish({ name: "generation/inputs", data: { id, account: account_id } });
  return rows.length;
}

const redispatch = statement({
  params: [timestamptz, timestamptz, int8Number],
  row: { id: uuid, account_id: int4 },
  text: `
    UPDATE generation SET dispatched_at = $1 WHERE id IN (
      SELECT g.id FROM generation g WHERE ${awaitsInputsSql} AND g.dispatched_at <= $2
      ORDER BY g.dispatched_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, account_id`,
});

/** Marks a queued generation as ready for workers if all of its external inputs are copied. */
export const markInputsReady = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `
  UPDATE generation g SET inputs_ready_at = $2 WHERE g.id = $1 AND ${awaitsInputsSql}
    AND (SELECT count(*) FROM input_copy c WHERE c.generation_id = g.id AND c.stored_at IS NOT NULL)
        = jsonb_array_length(g.external_inputs)`,
});
