import { int4, notNull, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { finishGeneration } from "../generations/end";
import { dispatchNextQueued } from "../generations/queue";
import type { WorkersHub } from "./hub";
import { getLease, isLive, isNewest, leaseLost } from "./lease";
import type { Worker } from "./worker";

/**
 * Completes the job of a lease: what was stored under it becomes the outputs, and the GPU time of all leases is billed. May be
 * repeated. Throws a 400 when an output is missing, and a 409 `lease_lost`.
 */
export async function completeJob(
  hub: WorkersHub,
  worker: Worker,
  leaseId: string,
  { fence, gpu_ms }: { fence: number; gpu_ms: number },
): Promise<void> {
  for (;;) {
    const lease = await getLease(hub, worker, leaseId);
    if (lease.status === "succeeded" && isNewest(lease, fence)) return;
    if (!isLive(hub, lease, fence)) throw leaseLost();
    const id = lease.generation_id;
    const ended = await finishGeneration(hub, {
      id,
      from: ["running"],
      to: "succeeded",
      fence,
      gpuMs: gpu_ms,
      outputs: await countOutputs(hub, id, fence),
      attempt: { outcome: "succeeded" },
    });
    if (ended) return dispatchNextQueued(hub, lease.account_id);
  }
}

async function countOutputs(hub: WorkersHub, id: string, fence: number): Promise<number> {
  const rows = await selectOutputs(hub.db, id, fence);
  const missing = rows.findIndex(({ index }, position) => index !== position);
  if (missing !== -1) throw invalidInput(`outputs.${missing}`, "is missing: store every index from 0 on");
  return rows.length;
}

const selectOutputs = statement({
  params: [uuid, int4],
  row: { index: notNull(int4) },
  text: "SELECT index FROM file WHERE generation_id = $1 AND fence = $2 AND sha256 IS NOT NULL ORDER BY index",
});
