import { storeOutput } from "../files";
import type { OutputContent } from "../../providers/job";
import type { WorkersHub } from "./hub";
import { getLease, isLive, leaseLost } from "./lease";
import type { Worker } from "./worker";

/** Outputs per generation. */
export const MAX_OUTPUTS = 100;

/**
 * Stores an output of a lease and returns its size in bytes. It becomes visible when the lease is completed. Throws a 409
 * `lease_lost` when the lease is not live.
 */
export async function putOutput(
  hub: WorkersHub,
  worker: Worker,
  leaseId: string,
  position: { fence: number; index: number },
  output: OutputContent,
): Promise<number> {
  const lease = await getLease(hub, worker, leaseId);
  if (!isLive(hub, lease, position.fence)) throw leaseLost();
  const size = await storeOutput(
    hub,
    { generationId: lease.generation_id, accountId: lease.account_id, ...position },
    output,
  );
  // The lease may have expired during the upload.
  if (size === null || !isLive(hub, await getLease(hub, worker, leaseId), position.fence)) throw leaseLost();
  return size;
}
