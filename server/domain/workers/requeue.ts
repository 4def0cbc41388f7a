import type { Hub } from "../../context";
import type { Failure } from "../../providers/provider";
import { finishGeneration } from "../generations/finish";
import { dispatchNextQueued } from "../generations/dispatch-queued";
import { MAX_LEASES } from "./lease";
import { meteredSql, reportedSql } from "./meter";

const MOST = 200;
const late: Failure = { code: "timeout", message: "It took longer than its model allows.", retryable: true };
const lost: Failure = { code: "provider_error", message: "Its workers were lost again and again.", retryable: true };

/**
 * Queues the generations of lapsed leases again, and fails those that are past their deadline or have had all their
 * leases. Answers how many it found; for whoever looks for work, and for the sweep.
 */
export async function requeueExpiredLeases(hub: Hub): Promise<number> {
  const now = hub.now();
  const queued = await hub.db.query<Requeued>(lapsed, [now, MOST]);
  const rows = await hub.db.query<{ id: string; account_id: number; late: boolean }>(over, [now, MOST]);
  await Promise.all(
    rows.map((row) =>
      finishGeneration(hub, { id: row.id, from: ["running"], to: "failed", error: row.late ? late : lost }),
    ),
  );
  const freed = new Set([...queued, ...rows].map((row) => row.account_id));
  for (const account of freed) await dispatchNextQueued(hub, account);
  return queued.length + rows.length;
}

/** Queues a generation again whose worker gave up under this fence; false when that was its last lease, or is not live. */
export async function requeueFailed(hub: Hub, id: string, fence: number, gpuMs: number): Promise<boolean> {
  const [queued] = await hub.db.query<Requeued>(failed, [hub.now(), id, fence, gpuMs]);
  if (queued) await dispatchNextQueued(hub, queued.account_id);
  return queued !== undefined;
}

interface Requeued {
  id: string;
  account_id: number;
}

const leased = "g.status = 'running' AND g.provider = 'worker'";
const again = `g.fence < ${MAX_LEASES}`;

// The rows of generations are locked before those of accounts, as everywhere.
const requeueSql = (gone: string, outcome: "lost" | "failed") => `
  WITH gone AS MATERIALIZED (${gone}),
  queued AS (
    UPDATE generation g SET status = 'queued', gpu_ms = gone.gpu_ms, metered_at = gone.metered_at,
                            leased_at = gone.leased_at, gpu_ms_before = gone.gpu_ms_before
    FROM gone WHERE g.id = gone.id
    RETURNING g.id, g.account_id
  ),
  slots AS (SELECT account_id, count(*)::int AS freed FROM queued GROUP BY account_id),
  locked_account AS MATERIALIZED (
    SELECT id, running FROM account WHERE id IN (SELECT account_id FROM slots) ORDER BY id FOR NO KEY UPDATE
  ),
  given_back AS (
    UPDATE account SET running = locked_account.running - slots.freed
    FROM slots JOIN locked_account ON locked_account.id = slots.account_id WHERE account.id = slots.account_id
  ),
  closed AS (
    UPDATE attempt SET ended_at = gone.metered_at, outcome = '${outcome}' FROM gone
    WHERE attempt.generation_id = gone.id AND attempt.ended_at IS NULL
  )
  SELECT id, account_id FROM queued`;

const goneSql = (reported: string) => `
  SELECT g.id, ${reportedSql(reported, "$1::timestamptz")} AS gpu_ms, ${meteredSql("$1::timestamptz")} AS metered_at,
         g.leased_at, g.gpu_ms_before
  FROM generation g`;

const lapsed = requeueSql(
  `${goneSql("0")}
   WHERE ${leased} AND ${again} AND g.lease_expires_at <= $1 AND g.lease_expires_at < g.deadline_at
   ORDER BY g.id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
  "lost",
);

const failed = requeueSql(
  `${goneSql("$4::bigint")}
   WHERE ${leased} AND ${again} AND g.id = $2 AND g.fence = $3 AND g.lease_expires_at > $1 FOR NO KEY UPDATE`,
  "failed",
);

const over = `
  SELECT g.id, g.account_id, g.lease_expires_at >= g.deadline_at AS late FROM generation g
  WHERE ${leased} AND g.lease_expires_at <= $1 AND (NOT ${again} OR g.lease_expires_at >= g.deadline_at)
  ORDER BY g.lease_expires_at LIMIT $2`;
