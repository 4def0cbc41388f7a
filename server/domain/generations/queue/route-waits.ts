import type { Queryable } from "../../../db/client";
import { array, int4, int8Number, text, textOf, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import type { Status } from "../row";
import { TURN_COST } from "../../accounts/sql";
import type { QueueHub } from "./hub";
import { turnSql } from "./provider-turns";

export type WaitReason = "at_capacity" | "over_budget" | "cooling_down";

/** What a generation waits for: a provider with limits, or a route that cools down. */
export interface RouteWait {
  /** The provider's id, or the route's. */
  awaits: string;
  reason: WaitReason;
}

/**
 * Records what a generation waits for, instead of what it waited for before. It keeps its place among those that wait. At
 * most as many queued generations of an account wait for each provider or route as it may run at once; one that finds no room
 * at any waits for a slot, so that accounts take turns. Records nothing when another run has meanwhile begun or ended the
 * generation, which then has another status.
 */
export async function recordWaits(
  hub: QueueHub,
  generationId: string,
  status: "queued" | "running",
  waits: RouteWait[],
): Promise<void> {
  const [keys, reasons] = [waits.map(({ awaits }) => awaits), waits.map(({ reason }) => reason)];
  await replaceWaits(hub.db, generationId, keys, reasons, hub.now(), hub.env.RUNNING_PER_ACCOUNT, status);
  const { routeWaits } = hub.services;
  routeWaits.exist = true;
  routeWaits.recorded += 1;
}

// Every statement that changes the waits of a generation locks it before.
const lockedSql =
  "locked AS MATERIALIZED (SELECT id, account_id, status FROM generation WHERE id = $1 FOR NO KEY UPDATE)";

const replaceWaits = statement({
  params: [uuid, array(text), array(textOf<WaitReason>()), timestamptz, int8Number, text],
  row: {},
  text: `
    WITH ${lockedSql},
    wait AS (
      SELECT DISTINCT wait.*, locked.id, locked.account_id
      FROM locked CROSS JOIN unnest($2::text[], $3::text[]) AS wait (awaits, reason)
      WHERE locked.status = $6 AND (locked.status <> 'queued'
        OR EXISTS (SELECT FROM route_wait w WHERE w.generation_id = $1 AND w.awaits = wait.awaits)
        OR (SELECT count(*) FROM (
              SELECT DISTINCT w.generation_id FROM route_wait w JOIN generation g ON g.id = w.generation_id AND g.status = 'queued'
              WHERE w.account_id = locked.account_id AND w.awaits = wait.awaits LIMIT $5) others) < $5)
    ),
    parked AS (
      UPDATE generation g SET dispatched_at = NULL
      FROM locked WHERE g.id = locked.id AND locked.status = 'queued' AND NOT EXISTS (SELECT FROM wait)
    ),
    gone AS (
      DELETE FROM route_wait w USING locked WHERE w.generation_id = locked.id
        AND NOT EXISTS (SELECT FROM wait WHERE wait.awaits = w.awaits AND wait.reason = w.reason)
    )
    INSERT INTO route_wait (awaits, reason, generation_id, account_id, since, checked_at)
    SELECT awaits, reason, id, account_id, coalesce((SELECT min(since) FROM route_wait WHERE generation_id = $1), $4), $4 FROM wait
    ON CONFLICT (awaits, reason, generation_id) DO UPDATE SET checked_at = EXCLUDED.checked_at, woken_at = NULL`,
});

/** Deletes the waits of a generation. Skips the statement while this process knows that nothing waits. */
export async function clearWaits(hub: QueueHub, db: Queryable, generationId: string): Promise<void> {
  if (hub.services.routeWaits.exist) await deleteWaits(db, generationId);
}

const deleteWaits = statement({
  params: [uuid],
  row: {},
  text: `WITH ${lockedSql} DELETE FROM route_wait w USING locked WHERE w.generation_id = locked.id`,
});

/** Returns everything that any generation waits for. Costs one index lookup for each, however many generations wait. */
export const findAwaited = (hub: QueueHub): Promise<RouteWait[]> => selectAwaited(hub.db);

// The recursive CTE is an index skip scan.
const selectAwaited = statement({
  params: [],
  row: { awaits: text, reason: textOf<WaitReason>() },
  text: `
    WITH RECURSIVE awaited AS (
      (SELECT awaits, reason FROM route_wait ORDER BY awaits, reason LIMIT 1)
      UNION ALL
      SELECT next.* FROM awaited CROSS JOIN LATERAL (
        SELECT w.awaits, w.reason FROM route_wait w WHERE (w.awaits, w.reason) > (awaited.awaits, awaited.reason)
        ORDER BY w.awaits, w.reason LIMIT 1) next
    )
    SELECT awaits, reason FROM awaited`,
});

const wokenColumns = { id: uuid, account_id: int4, status: textOf<Status>() };
/** A generation that is to try its routes again. */
export type WokenGeneration = RowOf<typeof wokenColumns>;

/**
 * Selects up to `limit` generations that wait, last found no route before `checkedBefore` and are not woken yet, and marks
 * them as woken and dispatched: accounts by their turns and weights (provider-turns.ts), and the generations of an account
 * by priority, those that wait longest first.
 */
export const wakeWaiting = (
  hub: QueueHub,
  db: Queryable,
  { awaits, reason }: RouteWait,
  limit: number,
  checkedBefore = hub.now(),
): Promise<WokenGeneration[]> => wakeOldest(db, awaits, reason, checkedBefore, hub.now(), limit);

const wakeOldest = statement({
  params: [text, textOf<WaitReason>(), timestamptz, timestamptz, int8Number],
  row: wokenColumns,
  text: `
    WITH line AS (
      SELECT w.generation_id, w.since, w.woken_at IS NULL AND w.checked_at <= $3 AS is_next,
             ${turnSql("$1", "a.id")} + ${TURN_COST} / a.weight
               * (row_number() OVER (PARTITION BY a.id ORDER BY g.priority DESC, w.since, w.generation_id) - 1) AS turn
      FROM route_wait w JOIN generation g ON g.id = w.generation_id JOIN account a ON a.id = w.account_id
      WHERE w.awaits = $1 AND w.reason = $2 AND g.status IN ('queued', 'running')
    ),
    next AS (SELECT generation_id FROM line WHERE is_next ORDER BY turn, since, generation_id LIMIT $5),
    picked AS MATERIALIZED (
      SELECT g.id AS generation_id FROM generation g JOIN next ON next.generation_id = g.id
      ORDER BY g.id FOR NO KEY UPDATE OF g SKIP LOCKED
    ),
    woken AS (UPDATE route_wait w SET woken_at = $4 FROM picked WHERE w.generation_id = picked.generation_id),
    -- A running generation keeps the time of its dispatch, which tells when its run was last replaced.
    dispatched AS (
      UPDATE generation g SET dispatched_at = $4 FROM picked WHERE g.id = picked.generation_id AND g.status = 'queued'
    )
    SELECT g.id, g.account_id, g.status FROM picked JOIN generation g ON g.id = picked.generation_id`,
});

/** SQL that corrects waits that were recorded before the system clock was set back, and returns their generations. Needs `$1`, now. */
export const pullBackWaitsSql = `
  WITH late AS MATERIALIZED (
    SELECT g.id FROM generation g
    WHERE g.id IN (SELECT w.generation_id FROM route_wait w WHERE greatest(w.since, w.checked_at, w.woken_at) > $1)
    ORDER BY g.id FOR NO KEY UPDATE OF g SKIP LOCKED
  )
  UPDATE route_wait w SET
    since = least(w.since, $1), checked_at = least(w.checked_at, $1), woken_at = CASE WHEN w.woken_at <= $1 THEN w.woken_at END
  FROM late WHERE w.generation_id = late.id
  RETURNING w.generation_id`;

/** A woken generation tries its routes soon; after this time it is dispatched again like any other. */
const OBSOLETE_AFTER_MS = 300_000;

/** Deletes the waits of generations that have ended, or were woken long ago. Returns how many. */
export const purgeWaits = async (hub: QueueHub): Promise<number> =>
  (await deleteObsolete(hub.db, new Date(hub.now().getTime() - OBSOLETE_AFTER_MS))).length;

const deleteObsolete = statement({
  params: [timestamptz],
  row: { generation_id: uuid },
  text: `
    WITH obsolete AS MATERIALIZED (
      SELECT g.id FROM route_wait w JOIN generation g ON g.id = w.generation_id
      WHERE g.status NOT IN ('queued', 'running') OR w.woken_at < $1
      FOR NO KEY UPDATE OF g SKIP LOCKED
    )
    DELETE FROM route_wait w USING obsolete WHERE w.generation_id = obsolete.id RETURNING w.generation_id`,
});
