import { completeBatches } from "../domain/batches";
import { mergeNewWords } from "../domain/generations/search";
import { failTimedOut } from "../domain/generations/run";
import { redispatchLapsed, redispatchStale } from "../domain/generations/queue";
import type { Hub } from "../domain/hub";

const INTERVAL_MS = 10_000;
// Few at a time, because generations that are still queued in the engine are dispatched again too.
const MAX_QUEUED = 50;

/**
 * Repeats in this process what the sweep does for generations in flight, completes batches, and makes new generations
 * searchable: the sweep is a job and does not run while the job engine is down. Returns a function that stops it.
 */
export function startRecoverySweep(hub: Hub): () => Promise<void> {
  let sweeping: Promise<void> | undefined;
  const sweep = async () => {
    try {
      await redispatchLapsed(hub);
      await redispatchStale(hub, MAX_QUEUED);
      await failTimedOut(hub);
      await completeBatches(hub);
      await mergeNewWords(hub);
    } catch (error) {
      hub.log.warn({ err: error }, "generations in flight could not be swept");
    }
  };
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => (sweeping = undefined));
  }, INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await sweeping;
  };
}
