import { completeJob } from "../../server/domain/workers/complete-job";
import { failJob } from "../../server/domain/workers/fail-job";
import { putOutput, recordHeartbeat } from "../../server/domain/workers/lease";
import { leaseNextJob, type LeasedJob } from "../../server/domain/generations/run/lease";
import type { Worker } from "../../server/domain/workers/worker";
import { chunksOf } from "../file-hub";
import type { TestHub } from "../hub";

export const PALETTE = JSON.stringify({ palette: [{ hex: "#00ff00", share: 1 }] });

/** Creates a worker that takes each step of a training only when a test calls it. */
export function createTestTrainer(hub: TestHub, models = ["sandbox-trainer"]) {
  const worker: Worker = { tokenId: null, name: "test-trainer" };
  return {
    worker,
    leaseJob: async (): Promise<LeasedJob> => {
      const leased = await leaseNextJob(hub, worker, models);
      if (!leased) throw new Error("no job can be claimed");
      return leased;
    },
    report: ({ lease_id, fence }: LeasedJob, seconds: number, progress: number, checkpoint?: unknown) =>
      recordHeartbeat(hub, worker, lease_id, { fence, gpu_ms: seconds * 1_000, progress, checkpoint }),
    complete: async ({ lease_id, fence }: LeasedJob, seconds: number, content = PALETTE) => {
      const output = { mediaType: "application/json", content: chunksOf(content) };
      await putOutput(hub, worker, lease_id, { fence, index: 0 }, output);
      await completeJob(hub, worker, lease_id, { fence, gpu_ms: seconds * 1_000 });
    },
    fail: ({ lease_id, fence }: LeasedJob, seconds: number) =>
      failJob(hub, worker, lease_id, {
        fence,
        gpu_ms: seconds * 1_000,
        code: "provider_error",
        message: "No.",
        retryable: false,
      }),
  };
}
