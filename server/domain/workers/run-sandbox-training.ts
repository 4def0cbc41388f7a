import { isAppError } from "../../errors";
import type { Failure } from "../../providers/failure";
import { trainPalette, type TrainingResult } from "../../providers/sandbox/trainer/train";
import { hubStopped } from "../generations/row";
import { findCopies, readInput } from "../input-files";
import type { LeasedJob } from "../generations/run";
import { completeJob } from "./complete-job";
import { failJob } from "./fail-job";
import { recordHeartbeat } from "./heartbeat";
import type { WorkersHub } from "./hub";
import { putOutput } from "./put-output";
import type { Worker } from "./worker";

const HEARTBEAT_INTERVAL_MS = 5_000;
const trainerFailed: Failure = { code: "internal_error", message: "Something failed on our side.", retryable: true };

/**
 * Runs a job of `sandbox-trainer` under its lease and reports the result. When `stop` aborts, the job is returned to the
 * queue. When the lease is lost or the job is canceled, the work stops without a report.
 */
export async function runSandboxTraining(
  hub: WorkersHub,
  worker: Worker,
  job: LeasedJob,
  stop: AbortSignal,
): Promise<void> {
  const { lease_id, fence } = job;
  const startedAt = performance.now();
  const gpuMs = () => Math.floor(performance.now() - startedAt);
  const leaseEnded = new AbortController();
  const signal = AbortSignal.any([stop, leaseEnded.signal]);
  const sendHeartbeat = async (report: { progress?: number; checkpoint?: unknown } = {}) => {
    const { cancel } = await recordHeartbeat(hub, worker, lease_id, { ...report, fence, gpu_ms: gpuMs() });
    if (cancel) leaseEnded.abort();
  };
  const renewal = setInterval(() => void sendHeartbeat().catch(() => leaseEnded.abort()), HEARTBEAT_INTERVAL_MS);
  try {
    const copies = await findCopies(hub, job.id);
    const result = await trainPalette(
      { input: job.input, attempt: fence, checkpoint: job.checkpoint },
      {
        read: (url) => readInput(hub, job.account_id, url, { signal, copies }),
        report: (progress, checkpoint) => sendHeartbeat({ progress, checkpoint }),
        signal,
      },
    ).catch((error: unknown): TrainingResult => {
      if (isAppError(error) || leaseEnded.signal.aborted) throw error;
      if (!stop.aborted) hub.log.error({ err: error as Error, generation: job.id }, "sandbox training failed");
      return { state: "failed", error: stop.aborted ? hubStopped : trainerFailed };
    });
    await reportResult(hub, worker, job, result, gpuMs());
  } catch (error) {
    const isLeaseLost = leaseEnded.signal.aborted || (isAppError(error) && error.code === "lease_lost");
    if (!isLeaseLost) throw error;
  } finally {
    clearInterval(renewal);
  }
}

async function reportResult(
  hub: WorkersHub,
  worker: Worker,
  { lease_id, fence }: LeasedJob,
  result: TrainingResult,
  gpu_ms: number,
): Promise<void> {
  if (result.state === "failed") {
    await failJob(hub, worker, lease_id, { ...result.error, fence, gpu_ms });
    return;
  }
  for (const [index, output] of result.outputs.entries()) {
    await putOutput(hub, worker, lease_id, { fence, index }, output);
  }
  await completeJob(hub, worker, lease_id, { fence, gpu_ms });
}
