import { array, int8Number, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isAppError } from "../../errors";
import type { Failure } from "../../providers/failure";
import { trainPalette, type TrainingResult } from "../../providers/sandbox/trainer/train";
import { finishGeneration } from "../generations/end";
import { hubStopped } from "../generations/row";
import type { LeasedJob } from "../generations/run";
import { findCopies, readInput } from "../input-files";
import { sandboxIds } from "../models";
import { completeJob } from "./complete-job";
import { failJob } from "./fail-job";
import type { WorkersHub } from "./hub";
import { putOutput, recordHeartbeat } from "./lease";
import type { Worker } from "./worker";

const HEARTBEAT_INTERVAL_MS = 5_000;
const trainerFailed: Failure = { code: "internal_error", message: "Something failed on our side.", retryable: true };

/**
 * Runs a job of `sandbox-trainer` under its lease and reports the result. When `stop` aborts, the job returns to the queue.
 * When the lease is lost or the job is canceled, the work stops without a report.
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

const MAX_JOBS = 200;
const sandboxDisabled: Failure = {
  code: "provider_refused",
  message: "The hub no longer offers this model.",
  retryable: false,
};

/**
 * Fails the queued worker jobs of the sandbox while it is disabled, because no worker would claim them. Returns how many. A
 * job that was running when the hub stopped is failed once its lease has expired, which queues it again.
 */
export async function failSandboxJobs(hub: WorkersHub): Promise<number> {
  if (hub.env.SANDBOX === "on") return 0;
  const rows = await selectSandboxJobs(hub.db, sandboxIds, MAX_JOBS);
  const failed = await Promise.all(
    rows.map(({ id }) => finishGeneration(hub, { id, from: ["queued"], to: "failed", error: sandboxDisabled })),
  );
  return failed.filter(Boolean).length;
}

const selectSandboxJobs = statement({
  params: [array(text), int8Number],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE status = 'queued' AND provider = 'worker' AND model = ANY ($1) ORDER BY id LIMIT $2",
});
