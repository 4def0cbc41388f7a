import type { Hub } from "../context";
import { mergeNewWords } from "../domain/generations/search/index-words";
import { failTimedOut } from "../domain/generations/run/fail-timed-out";
import { redispatchLapsed, redispatchStale } from "../domain/generations/queue/redispatch";

const INTERVAL_MS = 10_000;
// Few, because those that an engine has not come to yet are dispatched again as well.
const MAX_QUEUED = 50;

/**
 * Has generations dispatched again, taken over and ended in time in this process too, and new ones made searchable: the sweep is itself a job, which
 * does not run while the job engine is away. Returns how to stop.
 */
export function startRecoverySweep(hub: Hub): () => Promise<void> {
  let sweeping: Promise<void> | undefined;
  const sweep = async () => {
    try {
      await redispatchLapsed(hub);
      await redispatchStale(hub, MAX_QUEUED);
      await failTimedOut(hub);
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
