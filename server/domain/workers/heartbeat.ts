import { renewLease } from "../generations/run";
import type { WorkersHub } from "./hub";
import { getLease, isNewest, leaseLost } from "./lease";
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
  hub: WorkersHub,
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
