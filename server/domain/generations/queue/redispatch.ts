import { int4, int8Number, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { maxRunningSql } from "../../accounts/sql";
import { awaitsInputsSql } from "../../input-files/sql";
import type { QueueHub } from "./hub";

const STALE_AFTER_MS = 60_000;
const MAX_QUEUED = 200;
const LAPSED_INTERVAL_MS = 30_000;
const MAX_LAPSED = 1_000;
// Workers claim their jobs themselves.
const runByEngineSql = "provider <> 'worker'";
// Generations without a route are dispatched when one can be tried (dispatch-waiting.ts).
const hasRouteSql =
  "NOT EXISTS (SELECT FROM route_wait w WHERE w.generation_id = generation.id AND w.woken_at IS NULL)";

const dispatchedColumns = { id: uuid, account_id: int4 };

/**
 * Dispatches queued generations again whose event was probably lost: those dispatched more than a minute ago, and those
 * without a slot although their account has a free one. Returns how many, at most `limit` of either kind, because an
 * engine with a long backlog has not lost them and each event costs it a run.
 */
export async function redispatchStale(hub: QueueHub, limit = MAX_QUEUED): Promise<number> {
  const now = hub.now();
  const before = new Date(now.getTime() - STALE_AFTER_MS);
  const rows = await updateStale(hub.db, now, before, hub.env.RUNNING_PER_ACCOUNT, limit);
  return dispatchRows(hub, rows);
}

const updateStale = statement({
  params: [timestamptz, timestamptz, int4, int8Number],
  row: dispatchedColumns,
  text: `
    WITH stale AS (
      SELECT id FROM generation WHERE status = 'queued' AND dispatched_at < $2 AND ${runByEngineSql} AND ${hasRouteSql}
      ORDER BY dispatched_at LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
    ),
    waiting AS (SELECT DISTINCT account_id FROM generation WHERE status = 'queued' AND dispatched_at IS NULL AND ${runByEngineSql}),
    without_slot AS (
      SELECT g.id FROM waiting JOIN account a ON a.id = waiting.account_id CROSS JOIN LATERAL (
        SELECT id FROM generation WHERE account_id = a.id AND status = 'queued' AND dispatched_at IS NULL AND ${runByEngineSql}
        ORDER BY priority DESC, id LIMIT greatest(${maxRunningSql("a", "$3")} - a.running, 0)
      ) g LIMIT $4
    )
    UPDATE generation SET dispatched_at = $1
    WHERE id IN (SELECT id FROM stale UNION ALL SELECT id FROM without_slot) AND status = 'queued'
    RETURNING id, account_id`,
});

/**
 * Dispatches the latest queued generations again when a process starts, because a killed process may have lost their
 * events. A redundant event is harmless. Returns how many.
 */
export const redispatchLatest = async (hub: QueueHub): Promise<number> =>
  dispatchRows(hub, await updateLatest(hub.db, hub.now(), MAX_QUEUED));

const updateLatest = statement({
  params: [timestamptz, int8Number],
  row: dispatchedColumns,
  text: `
    UPDATE generation SET dispatched_at = $1 WHERE id IN (
      SELECT id FROM generation WHERE status = 'queued' AND dispatched_at IS NOT NULL AND ${runByEngineSql} AND ${hasRouteSql}
      ORDER BY dispatched_at DESC LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, account_id`,
});

/**
 * Dispatches running generations whose claim has expired, each at most twice a minute, so that another run takes them
 * over. Returns how many, at most 1,000.
 */
export async function redispatchLapsed(hub: QueueHub): Promise<number> {
  const now = hub.now();
  const before = new Date(now.getTime() - LAPSED_INTERVAL_MS);
  return dispatchRows(hub, await updateLapsed(hub.db, now, before, MAX_LAPSED));
}

const updateLapsed = statement({
  params: [timestamptz, timestamptz, int8Number],
  row: dispatchedColumns,
  text: `
    UPDATE generation SET dispatched_at = $1 WHERE id IN (
      SELECT id FROM generation
      WHERE status = 'running' AND claim_expires_at < $1 AND (dispatched_at < $2 OR dispatched_at IS NULL)
      ORDER BY claim_expires_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, account_id`,
});

/**
 * Dispatches the fetch event again for generations that wait for external inputs, and returns how many: those dispatched
 * more than a minute ago, or `all` after a start. Duplicate events are harmless.
 */
export async function redispatchFetches(hub: QueueHub, all: boolean): Promise<number> {
  const now = hub.now();
  const before = all ? now : new Date(now.getTime() - STALE_AFTER_MS);
  return dispatchRows(hub, await updateFetches(hub.db, now, before, MAX_QUEUED), "generation/inputs");
}

const updateFetches = statement({
  params: [timestamptz, timestamptz, int8Number],
  row: dispatchedColumns,
  text: `
    UPDATE generation SET dispatched_at = $1 WHERE id IN (
      SELECT g.id FROM generation g WHERE ${awaitsInputsSql} AND g.dispatched_at <= $2
      ORDER BY g.dispatched_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, account_id`,
});

function dispatchRows(
  hub: QueueHub,
  rows: RowOf<typeof dispatchedColumns>[],
  name: "generation/queued" | "generation/inputs" = "generation/queued",
): number {
  for (const { id, account_id } of rows) hub.publish({ name, data: { id, account: account_id } });
  return rows.length;
}
