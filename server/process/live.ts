import { explain } from "./explain";
import type { HttpServer } from "./http";
import { onSignals } from "./signals";

export interface Running {
  /** Resolves with the reason when the process cannot go on. */
  lost: Promise<string>;
  /** Ends the requests that only wait, before those in flight are waited for. */
  endWaits(): void;
}

/** How to stop what was started, latest last; work in flight gets so many milliseconds. */
export type Stops = ((patienceMs: number) => Promise<void>)[];

const PATIENCE_MS = 10_000;
const LEAST_PATIENCE_MS = 1_000;
const HURRY_MS = 2_000;
const HARD_STOP_MS = 25_000;

/**
 * Starts a process's parts and ends the process when its time has come: with 0 on a signal, with 1 on a fault or
 * when `lost` resolves. Either way requests in flight finish, and everything that was started stops.
 */
export function live(http: HttpServer, start: (stops: Stops) => Promise<Running>): void {
  const stops: Stops = [];
  let ending = false;
  const end = (code: number, patienceMs: number) => {
    if (ending) return;
    ending = true;
    exitIn(HARD_STOP_MS);
    // What a start under way still starts must be stopped as well.
    void started
      .then((running) => running?.endWaits())
      .then(() => shutDown(http, stops, patienceMs))
      .finally(() => process.exit(code));
  };
  const fail = (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    end(1, 0);
  };
  const started = start(stops).then((running) => {
    void running.lost.then(fail);
    return running;
  }, fail);

  process.on("uncaughtException", fail).on("unhandledRejection", fail);
  onSignals(
    () => end(0, PATIENCE_MS),
    () => {
      http.cut();
      exitIn(HURRY_MS);
    },
  );
}

const exitIn = (ms: number) => setTimeout(() => process.exit(1), ms).unref();

async function shutDown(http: HttpServer, stops: Stops, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  await http.drain(patienceMs);
  for (const stop of stops.reverse()) {
    const left = Math.max(LEAST_PATIENCE_MS, deadline - performance.now());
    await stop(left).catch((error: unknown) => process.stderr.write(`${explain(error)}\n`));
  }
}
