import type { Hub } from "../../context";
import { dispatchDeliveries, type PendingDelivery } from "../webhooks/dispatch-deliveries";
import { pendingDeliveriesSql, emitEventsSql } from "../webhooks/emit-events";
import { claimUntil, type Run, takeOver } from "./claim";
import { columnsSql } from "./generation";
import { snapshotSql } from "./snapshot";
import { dispatchNextQueued } from "./dispatch-queued";

/**
 * Moves a queued generation to running if its account has a free slot; its time-out counts from here, and customers
 * who follow are told. One that runs already is taken over when its run has lapsed, without leaving `running`.
 * Returns `no_slot` when the end of another generation will dispatch it, and `not_queued` when it has ended, has a run
 * that is alive, or is a worker's to start. A repeated call of the same run returns `running` again.
 */
export async function markRunning(hub: Hub, run: Run): Promise<"running" | "no_slot" | "not_queued"> {
  const values = [run.generationId, run.runId, hub.now(), hub.env.RUNNING_PER_ACCOUNT, claimUntil(hub)];
  const [row] = await hub.db.query<Row>(markRunningSql, values);
  if (row?.status === "running") {
    dispatchDeliveries(hub, row.deliveries);
    return "running";
  }
  if (row) {
    // A slot may have come free before this one was seen to wait.
    await dispatchNextQueued(hub, row.account_id);
    return "no_slot";
  }
  return (await takeOver(hub, run)) ? "running" : "not_queued";
}

interface Row {
  status: string;
  account_id: number;
  deliveries: PendingDelivery[] | null;
}

// The generation's row is locked before the account's, as everywhere.
const markRunningSql = `
  WITH ready AS MATERIALIZED (
    SELECT id, account_id FROM generation WHERE id = $1 AND status = 'queued' AND provider <> 'worker' FOR NO KEY UPDATE
  ),
  slot AS (
    UPDATE account SET running = account.running + 1 FROM ready
    WHERE account.id = ready.account_id AND account.running < $4
    RETURNING account.id, account.follows_events
  ),
  begun AS (
    UPDATE generation g SET status = 'running', run_id = $2, started_at = $3::timestamptz, claim_expires_at = $5,
                            deadline_at = $3::timestamptz + g.timeout_seconds * interval '1 second'
    FROM ready JOIN slot ON slot.id = ready.account_id WHERE g.id = ready.id
    RETURNING ${columnsSql("g")}, slot.follows_events
  ),
  ${emitEventsSql({ event: "generation.running", changed: "begun", at: "$3", snapshot: snapshotSql("changed", { outputs: "'[]'::json", missing: "'[]'::json" }) })},
  waiting AS (
    UPDATE generation g SET nudged_at = NULL
    FROM ready WHERE g.id = ready.id AND NOT EXISTS (SELECT FROM slot)
    RETURNING g.status, g.account_id
  )
  SELECT status, account_id, ${pendingDeliveriesSql("begun.id")} FROM begun
  UNION ALL SELECT status, account_id, NULL FROM waiting`;
