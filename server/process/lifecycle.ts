import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../lib/log";
import { describeFatalError } from "../lib/operator-error";
import type { HttpServer } from "./http";

export interface RunningHub {
  /** Resolves with the reason if the process cannot continue. */
  lost: Promise<string>;
  /** Announces the stop and ends requests that only wait, before requests in flight are awaited. */
  prepareStop(): void;
}

/** How to end requests that this process or those below it serve. */
type Requests = Pick<HttpServer, "drain" | "closeConnections">;

/** Functions that stop what was started. */
export interface ShutdownHooks {
  /** Called in reverse order of the start, each with the milliseconds that work in flight gets. */
  stop: ((gracePeriodMs: number) => Promise<void>)[];
  /** Stops at once what would outlive the process. */
  kill: (() => Promise<void>)[];
}

const GRACE_PERIOD_MS = 10_000;
const MIN_GRACE_PERIOD_MS = 1_000;
const SECOND_SIGNAL_MS = 2_000;
const MAX_SHUTDOWN_MS = 25_000;
const KILL_TIMEOUT_MS = 3_000;

/**
 * Starts a process's parts. Ends the process with 0 on a signal, and with 1 on an error or when `lost` resolves; either
 * way requests in flight finish, and everything that was started stops.
 */
export function runProcess(work: Requests, log: Logger, start: (hooks: ShutdownHooks) => Promise<RunningHub>): void {
  const hooks: ShutdownHooks = { stop: [], kill: [] };
  let isEnding = false;
  const end = (code: number, gracePeriodMs: number) => {
    if (isEnding) return;
    isEnding = true;
    scheduleKill(MAX_SHUTDOWN_MS, hooks);
    // A start under way may start more, which must be stopped as well.
    void started
      .then((running) => running?.prepareStop())
      .then(() => shutDown(work, hooks, gracePeriodMs))
      .finally(() => {
        log.info({ code }, "stopped");
        process.exit(code);
      });
  };
  const endWithError = (error: unknown) => {
    process.stderr.write(`${describeFatalError(error)}\n`);
    end(1, MIN_GRACE_PERIOD_MS);
  };
  const started = start(hooks).then((running) => {
    void running.lost.then(endWithError);
    return running;
  }, endWithError);

  // The output may be closed, and reporting that would fail again without end.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
  process.on("uncaughtException", endWithError).on("unhandledRejection", endWithError);
  onSignals(
    (signal) => {
      log.info({ signal, gracePeriodMs: GRACE_PERIOD_MS }, "stopping: requests in flight are finished");
      end(0, GRACE_PERIOD_MS);
    },
    (signal) => {
      log.warn({ signal }, "a second signal: requests in flight are cut");
      work.closeConnections();
      scheduleKill(SECOND_SIGNAL_MS, hooks);
    },
  );
}

/** Ends the process after this time, and with it what would outlive it. */
function scheduleKill(ms: number, { kill }: ShutdownHooks): void {
  const killAll = () => Promise.allSettled(kill.map((hook) => hook()));
  setTimeout(() => {
    void Promise.race([killAll(), sleep(KILL_TIMEOUT_MS)]).finally(() => process.exit(1));
  }, ms).unref();
}

async function shutDown(work: Requests, hooks: ShutdownHooks, gracePeriodMs: number): Promise<void> {
  const deadline = performance.now() + gracePeriodMs;
  await work.drain(gracePeriodMs);
  await runStopHooks(hooks, deadline - performance.now());
}

/** Stops all parts, latest first. Each gets the rest of the grace period, but at least a second. */
export async function runStopHooks({ stop: hooks }: ShutdownHooks, gracePeriodMs: number): Promise<void> {
  const deadline = performance.now() + gracePeriodMs;
  for (const stop of hooks.reverse()) {
    const remainingMs = Math.max(MIN_GRACE_PERIOD_MS, deadline - performance.now());
    await stop(remainingMs).catch((error: unknown) => process.stderr.write(`${describeFatalError(error)}\n`));
  }
}

// The terminal sends Ctrl-C to npm and to us, and npm forwards its own: within a second they count as one.
const DUPLICATE_MS = 1_000;

/** Calls `onFirst` on the first termination signal, and `onSecond` on each that comes more than a second later. */
function onSignals(onFirst: (signal: string) => void, onSecond: (signal: string) => void): void {
  let first = 0;
  const onSignal = (signal: string) => {
    if (first === 0) {
      first = performance.now();
      onFirst(signal);
    } else if (performance.now() - first > DUPLICATE_MS) onSecond(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
}
