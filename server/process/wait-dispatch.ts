import { dispatchWaiting } from "../domain/generations/queue";
import type { Hub } from "../domain/hub";

const INTERVAL_MS = 1_000;
/** After this many idle intervals, generations of processes that have ended are looked for too. */
const MAX_IDLE_INTERVALS = 10;

/**
 * Dispatches generations that wait for a route once one can be tried: checks every second while some wait, otherwise
 * every ten seconds. Returns a function that stops it.
 */
export function startWaitDispatch(hub: Hub): () => Promise<void> {
  let dispatching: Promise<void> | undefined;
  let idleIntervals = MAX_IDLE_INTERVALS;
  const dispatch = async () => {
    idleIntervals = 0;
    try {
      await dispatchWaiting(hub);
    } catch (error) {
      hub.log.warn({ err: error }, "waiting generations could not be dispatched");
    }
  };
  const timer = setInterval(() => {
    idleIntervals += 1;
    if (!hub.services.routeWaits.exist && idleIntervals < MAX_IDLE_INTERVALS) return;
    dispatching ??= dispatch().finally(() => (dispatching = undefined));
  }, INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await dispatching;
  };
}
