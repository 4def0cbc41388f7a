import { setTimeout as sleep } from "node:timers/promises";
import type { Hub } from "../context";
import { waitForJob } from "../domain/workers/wait-for-job";
import { runSandboxTraining } from "../domain/workers/run-sandbox-training";
import type { Worker } from "../domain/workers/worker";

const worker: Worker = { tokenId: null, name: "sandbox" };
const models = ["sandbox-trainer"];
// A request that hangs must not delay the others.
const MAX_CONCURRENT = 4;
const WAIT_MS = 30_000;
const PAUSE_MS = 2_000;

/** Runs the worker of `sandbox-trainer` in this process. Returns a function that stops it and releases its job. */
export function startSandboxWorker(hub: Hub): () => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const runJobs = async () => {
    while (!signal.aborted && !hub.services.jobWaiters.isClosed) {
      try {
        const taken = await waitForJob(hub, worker, { models, waitMs: WAIT_MS, signal });
        if (taken) await runSandboxTraining(hub, worker, taken, signal);
      } catch (error) {
        hub.log.warn({ err: error as Error }, "the worker in process failed");
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  const done = Promise.all(Array.from({ length: MAX_CONCURRENT }, runJobs));
  return async () => {
    stop.abort();
    await done;
  };
}
