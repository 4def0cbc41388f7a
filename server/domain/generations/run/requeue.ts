import { bool, float8, int4, int8Number, notNull, text, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import type { Failure } from "../../../providers/failure";
import { releaseSlotsSql } from "../../accounts/sql";
import { modelLabel, recordAttemptEnd } from "../../metrics";
import { timedOut } from "../row";
import { finishGeneration } from "../end";
import { dispatchNextQueued } from "../queue";
import { meteredAtSql, reportedGpuMsSql } from "../end/sql";
import type { RunHub } from "./hub";

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
export async function requeueExpiredLeases(hub: RunHub): Promise<number> {
  const now = hub.now();
  const queued = await requeueExpired(hub.db, now, MAX_GENERATIONS);
  for (const row of queued) {
    recordWorkerAttempt(hub, row, "lost");
    hub.metrics.workerLapses.add({ model: modelLabel(hub, row.model) });
  }
  const rows = await selectUnrecoverable(hub.db, now, MAX_GENERATIONS);
  await Promise.all(
    rows.map(async ({ id, model, is_late: isLate }) => {
      const error = isLate ? timedOut : leasesExhausted;
      const errorType = isLate ? undefined : "worker_lapsed";
      const ended = await finishGeneration(hub, { id, from: ["running"], to: "failed", error, errorType });
      if (ended && !isLate) hub.metrics.workerLapses.add({ model: modelLabel(hub, model) });
    }),
  );
  const freed = new Set([...queued, ...rows].map((row) => row.account_id));
  for (const account of freed) await dispatchNextQueued(hub, account);
  return queued.length + rows.length;
}

/** Queues a generation again after its worker failed under this fence; false when the lease is the last or not live. */
export async function requeueFailed(hub: RunHub, id: string, fence: number, gpuMs: number): Promise<boolean> {
  const [queued] = await requeueReported(hub.db, hub.now(), id, fence, gpuMs);
  if (!queued) return false;
  recordWorkerAttempt(hub, queued, "failed");
  await dispatchNextQueued(hub, queued.account_id);
  return true;
}

const recordWorkerAttempt = (hub: RunHub, { model, attempt_seconds: seconds }: Requeued, outcome: "lost" | "failed") =>
  recordAttemptEnd(hub, { model, route: "worker", outcome, seconds, cost: null });

const endedLeaseColumns = { id: uuid, account_id: int4, model: text };
const requeuedColumns = { ...endedLeaseColumns, attempt_seconds: notNull(float8) };
type Requeued = RowOf<typeof requeuedColumns>;

const leasedSql = "g.status = 'running' AND g.provider = 'worker'";
const hasLeasesLeftSql = `g.fence < ${MAX_LEASES}`;

const requeueSql = (selectSql: string, outcome: "lost" | "failed") => `
  WITH ended AS MATERIALIZED (${selectSql}),
  queued AS (
    UPDATE generation g SET status = 'queued', gpu_ms = ended.gpu_ms, metered_at = ended.metered_at,
                            leased_at = ended.leased_at, gpu_ms_before_lease = ended.gpu_ms_before_lease
    FROM ended WHERE g.id = ended.id
    RETURNING g.id, g.account_id, g.model
  ),
  ${releaseSlotsSql},
  ended_attempts AS (
    UPDATE attempt SET ended_at = ended.metered_at, outcome = '${outcome}' FROM ended
    WHERE attempt.generation_id = ended.id AND attempt.ended_at IS NULL
    RETURNING attempt.generation_id, attempt.ended_at - attempt.started_at AS duration
  )
  SELECT id, account_id, model, coalesce(extract(epoch FROM duration), 0)::float8 AS attempt_seconds
  FROM queued LEFT JOIN ended_attempts ON generation_id = queued.id`;

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
  row: { ...endedLeaseColumns, is_late: bool },
  text: `
    SELECT g.id, g.account_id, g.model, g.lease_expires_at >= g.deadline_at AS is_late FROM generation g
    WHERE ${leasedSql} AND g.lease_expires_at <= $1 AND (NOT ${hasLeasesLeftSql} OR g.lease_expires_at >= g.deadline_at)
    ORDER BY g.lease_expires_at LIMIT $2`,
});
