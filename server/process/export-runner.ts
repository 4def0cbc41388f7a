import { makeExport } from "../domain/exports";
import type { Hub } from "../domain/hub";

const INTERVAL_MS = 5_000;

/**
 * Makes exports that are due, one at a time, and looks for them every five seconds: those of owners, and those that a
 * crash interrupted. Returns a function that stops it; another process then continues after the last stored part.
 */
export function startExportRunner(hub: Hub): () => Promise<void> {
  const stop = new AbortController();
  let making: Promise<void> | undefined;
  const make = async () => {
    try {
      while (!stop.signal.aborted && (await makeExport(hub, stop.signal)));
    } catch (error) {
      hub.log.warn({ err: error }, "exports could not be made");
    }
  };
  const timer = setInterval(() => {
    making ??= make().finally(() => (making = undefined));
  }, INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    stop.abort(new Error("the process stops"));
    await making;
  };
}
