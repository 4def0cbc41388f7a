import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import type { Failure } from "../../providers/provider";
import { trainPalette as trainSandbox, type TrainingResult } from "../../providers/sandbox/trainer/train";
import { readInput } from "../files/read-input";
import { findCopies } from "../inputs/input-copy";
import { completeJob } from "./complete-job";
import { failJob } from "./fail-job";
import { recordHeartbeat } from "./heartbeat";
import { putOutput } from "./put-output";
import type { LeasedJob } from "./lease-next-job";
import type { Worker } from "./worker";

const RENEW_MS = 5_000;
const stopped: Failure = { code: "internal_error", message: "The hub was stopped while this ran.", retryable: true };
const broken: Failure = { code: "internal_error", message: "Something failed on our side.", retryable: true };

/**
 * Does a job of `sandbox-trainer` under its lease, to whatever end. When `stop` aborts, the job is given back. A lease
 * that is lost or canceled meanwhile ends the work without a word.
 */
export async function runSandboxTraining(hub: Hub, worker: Worker, taken: LeasedJob, stop: AbortSignal): Promise<void> {
  const { lease_id, fence } = taken;
  const began = performance.now();
  const gpuMs = () => Math.floor(performance.now() - began);
  const over = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  const beat = async (report: { progress?: number; checkpoint?: unknown } = {}) => {
    const { cancel } = await recordHeartbeat(hub, worker, lease_id, { ...report, fence, gpu_ms: gpuMs() });
    if (cancel) over.abort();
  };
  const renewal = setInterval(() => void beat().catch(() => over.abort()), RENEW_MS);
  try {
    const copies = await findCopies(hub, taken.id);
    const trained = await trainSandbox(
      { input: taken.input, attempt: fence, checkpoint: taken.checkpoint },
      {
        read: (url) => readInput(hub, taken.account_id, url, { signal, copies }),
        report: (progress, checkpoint) => beat({ progress, checkpoint }),
        signal,
      },
    ).catch((error: unknown): TrainingResult => {
      if (isAppError(error) || over.signal.aborted) throw error;
      if (!stop.aborted) hub.log.error({ err: error as Error, generation: taken.id }, "the sandbox's trainer failed");
      return { state: "failed", error: stop.aborted ? stopped : broken };
    });
    await end(hub, worker, taken, trained, gpuMs());
  } catch (error) {
    const lost = over.signal.aborted || (isAppError(error) && error.code === "lease_lost");
    if (!lost) throw error;
  } finally {
    clearInterval(renewal);
  }
}

async function end(
  hub: Hub,
  worker: Worker,
  { lease_id, fence }: LeasedJob,
  trained: TrainingResult,
  gpu_ms: number,
): Promise<void> {
  if (trained.state === "failed") {
    await failJob(hub, worker, lease_id, { ...trained.error, fence, gpu_ms });
    return;
  }
  for (const [index, output] of trained.outputs.entries()) {
    await putOutput(hub, worker, lease_id, { fence, index }, output);
  }
  await completeJob(hub, worker, lease_id, { fence, gpu_ms });
}
