import type { Queryable } from "../../../db/client";
import { float8, int4, json, nullable, text, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { takeSlotSql } from "../../accounts/sql";
import { dispatchDeliveries, type PendingDelivery } from "../../events";
import { emitEventsSql, pendingDeliveriesSql } from "../../events/sql";
import { recordGenerationStart } from "../../metrics";
import { reportChange } from "../changes";
import { claimUntil, type Run, takeOver } from "../attempts";
import { columnsSql } from "../row/sql";
import { snapshotSql } from "../read/sql";
import { dispatchNextQueued } from "../queue";
import type { RunHub } from "./hub";

/**
 * Marks a queued generation as running if its account has a free slot, starts its timeout and emits its event. A
 * running generation whose claim has expired is taken over by this run. Returns `no_slot` when the end of another
 * generation will dispatch it, and `not_queued` when it has ended, has an active run, or is run by workers. A repeated
 * call of the same run returns `running` again.
 */
export const markRunning = async (hub: RunHub, run: Run): Promise<RunStart> =>
  afterStart(hub, run, await startInSlot(hub, hub.db, run));

/** Whether a generation is running, waits for a slot of its account, or cannot be run by this run. */
export type RunStart = "running" | "no_slot" | "not_queued";

/** The row of a generation that was started, or waits for a slot; null if it is not queued. */
type StartRow = RowOf<typeof startColumns> | null;

/** Does the part of `markRunning` that changes rows, for a transaction; call `afterStart` when it is committed. */
export async function startInSlot(hub: RunHub, db: Queryable, { generationId, runId }: Run): Promise<StartRow> {
  const limits = [hub.env.RUNNING_PER_ACCOUNT, claimUntil(hub)] as const;
  const [row] = await startIfSlot(db, generationId, runId, hub.now(), ...limits);
  return row ?? null;
}

/** Does the part of `markRunning` that comes after the commit. */
export async function afterStart(hub: RunHub, run: Run, row: StartRow): Promise<RunStart> {
  if (row?.status === "running") {
    dispatchDeliveries(hub, row.deliveries);
    recordGenerationStart(hub, row.model, row.wait_seconds);
    reportChange(hub, run.generationId);
    return "running";
  }
  if (row) {
    // A slot may have become free before this generation was marked as waiting for one.
    await dispatchNextQueued(hub, row.account_id);
    return "no_slot";
  }
  return (await takeOver(hub, run)) ? "running" : "not_queued";
}

const startColumns = {
  status: text,
  account_id: int4,
  model: text,
  wait_seconds: float8,
  deliveries: nullable(json<PendingDelivery[]>()),
};

const startIfSlot = statement({
  params: [uuid, text, timestamptz, int4, timestamptz],
  row: startColumns,
  text: `
    WITH ready AS MATERIALIZED (
      SELECT id, account_id, priority FROM generation WHERE id = $1 AND status = 'queued' AND provider <> 'worker' FOR NO KEY UPDATE
    ),
    -- None if one of a higher priority waits for the slot.
    first AS (
      SELECT account_id FROM ready WHERE NOT EXISTS (
        SELECT FROM generation g WHERE g.account_id = ready.account_id AND g.priority > ready.priority
          AND g.status = 'queued' AND g.dispatched_at IS NULL AND g.provider <> 'worker')
    ),
    ${takeSlotSql({ starting: "first", max: "$4" })},
    started AS (
      UPDATE generation g SET status = 'running', run_id = $2, started_at = $3::timestamptz, claim_expires_at = $5,
                              deadline_at = $3::timestamptz + g.timeout_seconds * interval '1 second'
      FROM ready JOIN slot ON slot.id = ready.account_id WHERE g.id = ready.id
      RETURNING ${columnsSql("g")}, g.webhook, slot.follows_events
    ),
    ${emitEventsSql({ event: "generation.running", changed: "started", at: "$3", snapshot: snapshotSql("changed", { outputs: "'[]'::json", missing: "'[]'::json" }), hasOwnWebhooks: true })},
    waiting AS (
      UPDATE generation g SET dispatched_at = NULL
      FROM ready WHERE g.id = ready.id AND NOT EXISTS (SELECT FROM slot)
      RETURNING g.status, g.account_id, g.model
    )
    SELECT status, account_id, model, extract(epoch FROM started_at - created_at)::float8 AS wait_seconds,
           ${pendingDeliveriesSql("started.id")} FROM started
    UNION ALL SELECT status, account_id, model, 0, NULL FROM waiting`,
});
