import type { Hub } from "../../context";
import { newId } from "../../lib/id";
import { columnsSql, type Generation } from "../generations/generation";
import { snapshotSql } from "../generations/snapshot";
import { dispatchDeliveries, type PendingDelivery } from "../webhooks/dispatch-deliveries";
import { pendingDeliveriesSql, emitEventsSql } from "../webhooks/emit-events";
import { LEASE_SECONDS } from "./lease";
import type { Worker } from "./worker";

/** A generation and the lease under which it is worked on. */
export interface TakenJob extends Omit<Generation, "outputs"> {
  lease_id: string;
  fence: number;
  lease_expires_at: Date;
  /** What an earlier worker left. */
  checkpoint: unknown;
  deadline_at: Date;
}

/**
 * Takes the next job of these models and makes its lease, or answers null: accounts in turn, of each the oldest, if
 * the account has a free slot. The same statement starts the generation, opens its attempt, and tells customers the
 * first time.
 */
export async function takeJob(hub: Hub, worker: Worker, models: string[]): Promise<TakenJob | null> {
  for (;;) {
    const values = [models, hub.now(), hub.env.RUNNING_PER_ACCOUNT, newId(), worker.tokenId];
    const [row] = await hub.db.query<Row>(statement, values);
    if (!row) return null;
    if (row.id === null) continue;
    dispatchDeliveries(hub, row.deliveries);
    return row;
  }
}

// Without an id: somebody else has just taken the account's last slot.
type Row = (TakenJob & { deliveries: PendingDelivery[] | null }) | { id: null };

const waiting =
  "g.status = 'queued' AND g.provider = 'worker' AND (g.outside_inputs IS NULL OR g.inputs_ready_at IS NOT NULL)";

// The first job of every account and model is found by jumping from one to the next, however long a queue is. Jobs
// that others are taking at this moment are passed over.
const statement = `
  WITH RECURSIVE lane AS (
    SELECT first.* FROM unnest($1::text[]) AS wanted (model) CROSS JOIN LATERAL (
      SELECT g.model, g.account_id, g.id FROM generation g WHERE g.model = wanted.model AND ${waiting}
      ORDER BY g.account_id, g.id LIMIT 1) first
    UNION ALL
    SELECT next.* FROM lane CROSS JOIN LATERAL (
      SELECT g.model, g.account_id, g.id FROM generation g
      WHERE g.model = lane.model AND g.account_id > lane.account_id AND ${waiting}
      ORDER BY g.account_id, g.id LIMIT 1) next
  ),
  picked AS MATERIALIZED (
    SELECT job.* FROM (
      SELECT lane.model, lane.account_id FROM lane
      -- One by one: a join would read all accounts.
      CROSS JOIN LATERAL (SELECT a.worker_turn FROM account a WHERE a.id = lane.account_id AND a.running < $3 LIMIT 1) a
      ORDER BY a.worker_turn, lane.account_id, lane.id
    ) turn CROSS JOIN LATERAL (
      SELECT g.id, g.account_id, g.fence, g.started_at, g.gpu_ms, g.timeout_seconds FROM generation g
      WHERE g.model = turn.model AND g.account_id = turn.account_id AND ${waiting}
      ORDER BY g.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ) job LIMIT 1
  ),
  slot AS (
    UPDATE account SET running = account.running + 1, worker_turn = nextval('worker_turn') FROM picked
    WHERE account.id = picked.account_id AND account.running < $3
    RETURNING account.id, account.follows_events
  ),
  begun AS (
    UPDATE generation g SET
      status = 'running', started_at = coalesce(picked.started_at, $2), fence = picked.fence + 1,
      leased_at = $2, metered_at = $2, gpu_ms = picked.gpu_ms, gpu_ms_before = picked.gpu_ms,
      deadline_at = $2::timestamptz + picked.timeout_seconds * interval '1 second',
      lease_expires_at = $2::timestamptz + least(picked.timeout_seconds, ${LEASE_SECONDS}) * interval '1 second'
    FROM picked JOIN slot ON slot.id = picked.account_id WHERE g.id = picked.id
    RETURNING ${columnsSql("g")}, g.fence, g.lease_expires_at, g.checkpoint,
              slot.follows_events AND g.fence = 1 AS follows_events
  ),
  leased AS (
    INSERT INTO attempt (generation_id, n, route, provider, started_at, lease_id, worker_token_id)
    SELECT id, fence, 'worker', 'worker', $2, $4, $5::uuid FROM begun
    RETURNING generation_id, lease_id
  ),
  ${emitEventsSql({ event: "generation.running", changed: "begun", at: "$2", snapshot: snapshotSql("changed", { outputs: "'[]'::json", missing: "'[]'::json" }) })}
  SELECT begun.*, leased.lease_id, ${pendingDeliveriesSql("begun.id")}
  FROM picked LEFT JOIN begun USING (id) LEFT JOIN leased ON leased.generation_id = begun.id`;
