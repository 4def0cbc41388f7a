import { failureCodes } from "../../providers/failure";
import { finishGeneration } from "../generations/end";
import type { Status } from "../generations/row";
import { dispatchNextQueued } from "../generations/queue";
import { MAX_LEASES, requeueFailed } from "../generations/run";
import type { WorkersHub } from "./hub";
import { getLease, isLive, isNewest, leaseLost } from "./lease";
import type { Worker } from "./worker";

interface WorkerFailure {
  fence: number;
  gpu_ms: number;
  /** A code outside the public list is reported to customers as `provider_error`. */
  code: string;
  message: string;
  retryable: boolean;
}

/**
 * Ends a lease with a failure and returns the generation's new status: queued when the failure is retryable and leases
 * remain; else failed, and nothing is billed. Throws a 409 `lease_lost`.
 */
export async function failJob(
  hub: WorkersHub,
  worker: Worker,
  leaseId: string,
  failure: WorkerFailure,
): Promise<Status> {
  const { fence, gpu_ms, message, retryable } = failure;
  for (;;) {
    const lease = await getLease(hub, worker, leaseId);
    // The worker repeats its report.
    if (lease.outcome === "failed" && isNewest(lease, fence)) return lease.status;
    if (!isLive(hub, lease, fence)) throw leaseLost();
    const id = lease.generation_id;
    if (retryable && fence < MAX_LEASES) {
      if (await requeueFailed(hub, id, fence, gpu_ms)) return "queued";
      continue;
    }
    const code = failureCodes.find((known) => known === failure.code) ?? "provider_error";
    const ended = await finishGeneration(hub, {
      id,
      from: ["running"],
      to: "failed",
      fence,
      gpuMs: gpu_ms,
      error: { code, message, retryable },
      attempt: { outcome: "failed" },
    });
    if (!ended) continue;
    await dispatchNextQueued(hub, lease.account_id);
    return "failed";
  }
}
