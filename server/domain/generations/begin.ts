import type { Hub } from "../../context";
import { nudgeDeliveries, type OwedDelivery } from "../webhooks/nudge";
import { owedSql, tellSql } from "../webhooks/tell";
import { columnsSql } from "./generation";
import { snapshotSql } from "./snapshot";
import { wakeNext } from "./wake";

/**
 * Moves a queued generation to running if its account has a free slot; its time-out counts from here, and customers
 * who follow are told.
 * `parked`: no slot is free, and the end of another one will wake it. `gone`: canceled, taken by another run, or a worker's to start.
 * A repeated call of the same run answers `begun` again.
 */
export async function begin(hub: Hub, id: string, runId: string): Promise<"begun" | "parked" | "gone"> {
  const values = [id, runId, hub.now(), hub.env.RUNNING_PER_ACCOUNT];
  const [row] = await hub.db.query<Row>(statement, values);
  if (row?.status === "running") {
    nudgeDeliveries(hub, row.owed);
    return "begun";
  }
  if (row) {
    // A slot may have come free before this one was seen to wait.
    await wakeNext(hub, row.account_id);
    return "parked";
  }
  const mine = "SELECT FROM generation WHERE id = $1 AND run_id = $2 AND status = 'running'";
  return (await hub.db.query(mine, [id, runId])).length > 0 ? "begun" : "gone";
}

interface Row {
  status: string;
  account_id: number;
  owed: OwedDelivery[] | null;
}

// The generation's row is locked before the account's, as everywhere.
const statement = `
  WITH ready AS MATERIALIZED (
    SELECT id, account_id FROM generation WHERE id = $1 AND status = 'queued' AND provider <> 'worker' FOR NO KEY UPDATE
  ),
  slot AS (
    UPDATE account SET running = account.running + 1 FROM ready
    WHERE account.id = ready.account_id AND account.running < $4
    RETURNING account.id, account.follows_events
  ),
  begun AS (
    UPDATE generation g SET status = 'running', run_id = $2, started_at = $3::timestamptz,
                            deadline_at = $3::timestamptz + g.timeout_seconds * interval '1 second'
    FROM ready JOIN slot ON slot.id = ready.account_id WHERE g.id = ready.id
    RETURNING ${columnsSql("g")}, slot.follows_events
  ),
  ${tellSql({ event: "generation.running", changed: "begun", at: "$3", snapshot: snapshotSql("changed", { outputs: "'[]'::json", missing: "'[]'::json" }) })},
  parked AS (
    UPDATE generation g SET nudged_at = NULL
    FROM ready WHERE g.id = ready.id AND NOT EXISTS (SELECT FROM slot)
    RETURNING g.status, g.account_id
  )
  SELECT status, account_id, ${owedSql("begun.id")} FROM begun
  UNION ALL SELECT status, account_id, NULL FROM parked`;
