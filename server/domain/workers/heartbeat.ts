import type { Hub } from "../../context";
import { getLease, isNewest, LEASE_SECONDS, leaseLost } from "./lease";
import { reportedGpuMsSql } from "./meter";
import type { Worker } from "./worker";

export interface Report {
  fence: number;
  /** 0 to 1; it never falls, and is below 1 until the success. */
  progress?: number;
  /** GPU time under this lease. */
  gpu_ms?: number;
  /** For the next worker, should this one be lost. */
  checkpoint?: unknown;
}

/**
 * Renews a lease and notes what its worker reports. Answers until when it lasts, and whether the customer has
 * canceled; 409 `lease_lost` once it has lapsed or ended otherwise.
 */
export async function recordHeartbeat(
  hub: Hub,
  worker: Worker,
  leaseId: string,
  report: Report,
): Promise<{ cancel: boolean; expires_at: Date }> {
  const lease = await getLease(hub, worker, leaseId);
  const { fence, progress = null, gpu_ms = null, checkpoint } = report;
  const kept = checkpoint === undefined || checkpoint === null ? null : JSON.stringify(checkpoint);
  const values = [lease.generation_id, fence, hub.now(), progress, gpu_ms, kept, lease.n];
  const [renewed] = await hub.db.query<{ lease_expires_at: Date }>(statement, values);
  if (renewed) return { cancel: false, expires_at: renewed.lease_expires_at };
  const now = await getLease(hub, worker, leaseId);
  if (now.status === "canceled" && isNewest(now, fence)) return { cancel: true, expires_at: now.lease_expires_at };
  throw leaseLost();
}

const statement = `
  UPDATE generation g SET
    lease_expires_at = least($3::timestamptz + interval '${LEASE_SECONDS} seconds', g.deadline_at),
    progress = least(greatest(g.progress, $4::real), 0.99),
    gpu_ms = ${reportedGpuMsSql("$5::bigint", "$3::timestamptz")},
    metered_at = CASE WHEN $5::bigint IS NULL THEN g.metered_at ELSE greatest(g.metered_at, $3) END,
    checkpoint = coalesce($6::json, g.checkpoint)
  WHERE g.id = $1 AND g.fence = $2 AND g.fence = $7 AND g.status = 'running' AND g.lease_expires_at > $3
  RETURNING g.lease_expires_at`;
