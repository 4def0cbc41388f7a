import type { Hub } from "../../context";
import { int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { unroutable } from "./failures";
import { finishGeneration } from "./finish";

const MAX_GENERATIONS = 1_000;

/**
 * Fails queued generations that have found no route for too long: a day, or the time that their model may run if all of
 * their routes cool down. Releases their holds and returns how many.
 */
export async function failWaitingTooLong(hub: Hub): Promise<number> {
  const rows = await selectWaitingTooLong(hub.db, hub.now(), MAX_GENERATIONS);
  const failed = await Promise.all(
    rows.map(({ id }) => finishGeneration(hub, { id, from: ["queued"], to: "failed", error: unroutable })),
  );
  return failed.filter(Boolean).length;
}

const selectWaitingTooLong = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    SELECT g.id FROM generation g JOIN (
      SELECT generation_id, min(since) AS since, bool_and(reason = 'cooling_down') AS cools_down FROM route_wait GROUP BY 1
    ) w ON w.generation_id = g.id
    WHERE g.status = 'queued'
      AND w.since < $1::timestamptz - CASE WHEN w.cools_down THEN g.timeout_seconds * interval '1 second' ELSE interval '1 day' END
    ORDER BY g.id LIMIT $2`,
});
