import { setTimeout as sleep } from "node:timers/promises";
import type { Hub } from "../domain/hub";
import { runSandboxTraining, waitForJob, type Worker } from "../domain/workers";

const worker: Worker = { tokenId: null, name: "sandbox" };
const models = ["sandbox-trainer"];
// A hanging one must not delay the others.
const MAX_CONCURRENT = 4;
const WAIT_MS = 30_000;
const PAUSE_MS = 2_000;

/** Serves `sandbox-trainer` in this process. Returns a function that stops it and requeues the jobs under way. */
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
