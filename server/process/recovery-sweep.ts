import type { Hub } from "../context";
import { failTimedOut } from "../domain/generations/fail-timed-out";
import { redispatchLapsed } from "../domain/generations/redispatch";

const INTERVAL_MS = 10_000;

/**
 * Has running generations taken over and ended in time in this process too: the sweep is itself a job, which does not
 * run while the job engine is away. Returns how to stop.
 */
export function startRecoverySweep(hub: Hub): () => Promise<void> {
  let sweeping: Promise<void> | undefined;
  const sweep = async () => {
    try {
      await redispatchLapsed(hub);
      await failTimedOut(hub);
    } catch (error) {
      hub.log.warn({ err: error }, "running generations could not be looked after");
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
