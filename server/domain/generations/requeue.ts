import type { Hub } from "../../context";
import { bool, int4, int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Failure } from "../../providers/failure";
import { releaseSlotsSql } from "../accounts/account-sql";
import { timedOut } from "./failures";
import { finishGeneration } from "./finish";
import { dispatchNextQueued } from "./dispatch-queued";
import { meteredAtSql, reportedGpuMsSql } from "./meter";

/** A job whose lease is lost is queued again up to three times. */
export const MAX_LEASES = 4;

const MAX_GENERATIONS = 200;
const leasesExhausted: Failure = {
  code: "provider_error",
  message: "Every worker that ran this generation was lost.",
  retryable: true,
};

/**
 * Queues the generations of expired leases again, and fails those that are past their deadline or have used all their
 * leases. Returns how many generations it handled. Runs when a worker waits for a job, and in the sweep.
 */
export async function requeueExpiredLeases(hub: Hub): Promise<number> {
  const now = hub.now();
  const queued = await requeueExpired(hub.db, now, MAX_GENERATIONS);
  const rows = await selectUnrecoverable(hub.db, now, MAX_GENERATIONS);
  await Promise.all(
    rows.map((row) =>
      finishGeneration(hub, {
        id: row.id,
        from: ["running"],
        to: "failed",
        error: row.is_late ? timedOut : leasesExhausted,
      }),
    ),
  );
  const freed = new Set([...queued, ...rows].map((row) => row.account_id));
  for (const account of freed) await dispatchNextQueued(hub, account);
  return queued.length + rows.length;
}

/** Queues a generation again after its worker failed under this fence; false when the lease is the last or not live. */
export async function requeueFailed(hub: Hub, id: string, fence: number, gpuMs: number): Promise<boolean> {
  const [queued] = await requeueReported(hub.db, hub.now(), id, fence, gpuMs);
  if (queued) await dispatchNextQueued(hub, queued.account_id);
  return queued !== undefined;
}

const requeuedColumns = { id: uuid, account_id: int4 };

const leasedSql = "g.status = 'running' AND g.provider = 'worker'";
const hasLeasesLeftSql = `g.fence < ${MAX_LEASES}`;

const requeueSql = (selectSql: string, outcome: "lost" | "failed") => `
  WITH ended AS MATERIALIZED (${selectSql}),
  queued AS (
    UPDATE generation g SET status = 'queued', gpu_ms = ended.gpu_ms, metered_at = ended.metered_at,
                            leased_at = ended.leased_at, gpu_ms_before_lease = ended.gpu_ms_before_lease
    FROM ended WHERE g.id = ended.id
    RETURNING g.id, g.account_id
  ),
  ${releaseSlotsSql},
  ended_attempts AS (
    UPDATE attempt SET ended_at = ended.metered_at, outcome = '${outcome}' FROM ended
    WHERE attempt.generation_id = ended.id AND attempt.ended_at IS NULL
  )
  SELECT id, account_id FROM queued`;

const selectEndedSql = (reported: string) => `
  SELECT g.id, ${reportedGpuMsSql(reported, "$1::timestamptz")} AS gpu_ms, ${meteredAtSql("$1::timestamptz")} AS metered_at,
         g.leased_at, g.gpu_ms_before_lease
  FROM generation g`;

const requeueExpired = statement({
  params: [timestamptz, int8Number],
  row: requeuedColumns,
  text: requeueSql(
    `${selectEndedSql("0")}
   WHERE ${leasedSql} AND ${hasLeasesLeftSql} AND g.lease_expires_at <= $1 AND g.lease_expires_at < g.deadline_at
   ORDER BY g.id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
    "lost",
  ),
});

const requeueReported = statement({
  params: [timestamptz, uuid, int4, int8Number],
  row: requeuedColumns,
  text: requeueSql(
    `${selectEndedSql("$4::bigint")}
   WHERE ${leasedSql} AND ${hasLeasesLeftSql} AND g.id = $2 AND g.fence = $3 AND g.lease_expires_at > $1 FOR NO KEY UPDATE`,
    "failed",
  ),
});

const selectUnrecoverable = statement({
  params: [timestamptz, int8Number],
  row: { ...requeuedColumns, is_late: bool },
  text: `
    SELECT g.id, g.account_id, g.lease_expires_at >= g.deadline_at AS is_late FROM generation g
    WHERE ${leasedSql} AND g.lease_expires_at <= $1 AND (NOT ${hasLeasesLeftSql} OR g.lease_expires_at >= g.deadline_at)
    ORDER BY g.lease_expires_at LIMIT $2`,
});
