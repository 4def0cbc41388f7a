import type { Hub } from "../../context";
import { float4, int4, int8Number, jsonText, notNull, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { getLease, isNewest, LEASE_SECONDS, leaseLost } from "./lease";
import { reportedGpuMsSql } from "./meter";
import type { Worker } from "./worker";

export interface Report {
  fence: number;
  /** 0 to 1; it never decreases, and stays below 1 until the job is completed. */
  progress?: number;
  /** GPU time under this lease, in milliseconds. */
  gpu_ms?: number;
  /** State from which the next worker can continue if this one is lost. */
  checkpoint?: unknown;
}

/**
 * Renews a lease and stores its worker's report. Returns when the lease expires, and whether the customer has canceled.
 * Throws a 409 `lease_lost` when the lease has expired or ended otherwise.
 */
export async function recordHeartbeat(
  hub: Hub,
  worker: Worker,
  leaseId: string,
  report: Report,
): Promise<{ cancel: boolean; expires_at: Date }> {
  const lease = await getLease(hub, worker, leaseId);
  const { fence, progress = null, gpu_ms = null, checkpoint } = report;
  const checkpointJson = checkpoint === undefined || checkpoint === null ? null : JSON.stringify(checkpoint);
  const { generation_id, n } = lease;
  const [renewed] = await renewLease(hub.db, generation_id, fence, hub.now(), progress, gpu_ms, checkpointJson, n);
  if (renewed) return { cancel: false, expires_at: renewed.lease_expires_at };
  const current = await getLease(hub, worker, leaseId);
  if (current.status === "canceled" && isNewest(current, fence))
    return { cancel: true, expires_at: current.lease_expires_at };
  throw leaseLost();
}

const renewLease = statement({
  params: [uuid, int4, timestamptz, nullable(float4), nullable(int8Number), nullable(jsonText), int4],
  row: { lease_expires_at: notNull(timestamptz) },
  text: `
    UPDATE generation g SET
      lease_expires_at = least($3::timestamptz + interval '${LEASE_SECONDS} seconds', g.deadline_at),
      progress = least(greatest(g.progress, $4::real), 0.99),
      gpu_ms = ${reportedGpuMsSql("$5::bigint", "$3::timestamptz")},
      metered_at = CASE WHEN $5::bigint IS NULL THEN g.metered_at ELSE greatest(g.metered_at, $3) END,
      checkpoint = coalesce($6::json, g.checkpoint)
    WHERE g.id = $1 AND g.fence = $2 AND g.fence = $7 AND g.status = 'running' AND g.lease_expires_at > $3
    RETURNING g.lease_expires_at`,
});
