import { int8Number, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import type { Failure } from "../../../providers/failure";
import { type Status, unroutable } from "../row";
import { finishGeneration } from "./finish";
import type { EndHub } from "./hub";

const MAX_GENERATIONS = 1_000;

const supplyTimeout: Failure = {
  code: "supply_timeout",
  message: "A referenced file was not uploaded in time. Upload the missing files and send the request again.",
  retryable: true,
};

/** Fails generations whose deadline for missing files has passed, releases their holds, and returns how many. */
export const failSupplyTimedOut = async (hub: EndHub): Promise<number> =>
  failAll(hub, await selectSupplyTimedOut(hub.db, hub.now(), MAX_GENERATIONS), "awaiting_supply", supplyTimeout);

const selectSupplyTimedOut = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE status = 'awaiting_supply' AND deadline_at <= $1 ORDER BY id LIMIT $2",
});

/**
 * Fails queued generations that have found no route for too long: a day, or the time that their model may run if all of
 * their routes cool down. Releases their holds and returns how many.
 */
export const failWaitingTooLong = async (hub: EndHub): Promise<number> =>
  failAll(hub, await selectWaitingTooLong(hub.db, hub.now(), MAX_GENERATIONS), "queued", unroutable);

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

/** Fails those of the generations that still wait, and returns how many. */
async function failAll(hub: EndHub, rows: { id: string }[], from: Status, error: Failure): Promise<number> {
  const failed = await Promise.all(
    rows.map(({ id }) => finishGeneration(hub, { id, from: [from], to: "failed", error })),
  );
  return failed.filter(Boolean).length;
}
