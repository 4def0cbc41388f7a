import { completeJob } from "../../server/domain/workers/complete-job";
import { failJob } from "../../server/domain/workers/fail-job";
import { recordHeartbeat } from "../../server/domain/workers/heartbeat";
import { putOutput } from "../../server/domain/workers/put-output";
import { leaseNextJob, type LeasedJob } from "../../server/domain/generations/lease";
import type { Worker } from "../../server/domain/workers/worker";
import { pieces } from "../file-hub";
import type { TestHub } from "../hub";

export const PALETTE = JSON.stringify({ palette: [{ hex: "#00ff00", share: 1 }] });

/** A worker that does every step only when it is told. */
export function testTrainerOf(hub: TestHub, models = ["sandbox-trainer"]) {
  const worker: Worker = { tokenId: null, name: "apprentice" };
  return {
    worker,
    take: async (): Promise<LeasedJob> => {
      const taken = await leaseNextJob(hub, worker, models);
      if (!taken) throw new Error("there is no job");
      return taken;
    },
    report: ({ lease_id, fence }: LeasedJob, seconds: number, progress: number, checkpoint?: unknown) =>
      recordHeartbeat(hub, worker, lease_id, { fence, gpu_ms: seconds * 1_000, progress, checkpoint }),
    complete: async ({ lease_id, fence }: LeasedJob, seconds: number, content = PALETTE) => {
      const output = { mediaType: "application/json", content: pieces(content) };
      await putOutput(hub, worker, lease_id, { fence, index: 0 }, output);
      await completeJob(hub, worker, lease_id, { fence, gpu_ms: seconds * 1_000 });
    },
    fail: ({ lease_id, fence }: LeasedJob, seconds: number) =>
      failJob(hub, worker, lease_id, {
        ...{ fence, gpu_ms: seconds * 1_000 },
        ...{ code: "provider_error", message: "No.", retryable: false },
      }),
  };
}
