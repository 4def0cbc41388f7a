import type { Hub } from "../../context";
import { storeOutput } from "../files/store-output";
import type { ProviderOutput } from "../../providers/provider";
import { getLease, isLive, leaseLost } from "./lease";
import type { Worker } from "./worker";

/** Outputs of one generation. */
export const MAX_OUTPUTS = 100;

/** Stores an output of a lease and answers its bytes. It becomes visible when the lease is completed; 409 `lease_lost` when it is not live. */
export async function putOutput(
  hub: Hub,
  worker: Worker,
  leaseId: string,
  place: { fence: number; index: number },
  output: ProviderOutput,
): Promise<number> {
  const lease = await getLease(hub, worker, leaseId);
  if (!isLive(hub, lease, place.fence)) throw leaseLost();
  const size = await storeOutput(
    hub,
    { generationId: lease.generation_id, accountId: lease.account_id, ...place },
    output,
  );
  // It may have taken long.
  if (size === null || !isLive(hub, await getLease(hub, worker, leaseId), place.fence)) throw leaseLost();
  return size;
}
