import cluster, { type ClusterSettings, type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "../env";
import { createLog } from "../lib/log";
import { OperatorError } from "../lib/operator-error";
import { openDataDir } from "./data-dir";
import { openDatabase } from "./database";
import { findPort } from "./http";
import { runProcess } from "./lifecycle";

const MIN_RESTART_MS = 500;
const MAX_RESTART_MS = 30_000;
/** How often a process may be killed before it has served once. */
const MAX_KILLED_STARTS = 3;
/** After this long, the delays start over. */
const STABLE_MS = 60_000;

/** The exit code of a process that has reported its error on stderr. */
const REPORTED_ERROR = 1;

/** The argument of the process that starts first. */
export const FIRST = "--first";
/** The message of a process that serves. */
export const READY = "ready";

/**
 * Runs `program` in `HUB_PROCESSES` processes that share its port. This one migrates the database, keeps the embedded
 * Postgres, restarts each process that ends, and stops them all when it stops. Rejects if one of them cannot start.
 */
export function superviseProcesses(env: Env, program: string): void {
  const log = createLog(env);
  // Each process accepts connections itself: one passed on to a process that is just being killed would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let port = env.PORT;
  let isEnding = false;

  /**
   * Returns what one process sets differently: the port that was found, and a port of its own for metrics, which replace those
   * of files.
   */
  const settingsOf = (number: number) => ({
    PORT: `${port}`,
    PORT_FILE: "",
    ...(env.METRICS_PORT && { METRICS_PORT: `${env.METRICS_PORT + number - 1}`, METRICS_PORT_FILE: "" }),
  });
  /**
   * Keeps a process running. Calls `onReady` when it serves; rejects if, before it has ever served, it reports why it
   * cannot, or is killed three times.
   */
  const keepRunning = async (number: number, onReady: () => void): Promise<void> => {
    let delayMs = MIN_RESTART_MS;
    let hasServed = false;
    for (let starts = 1; !isEnding; starts += 1) {
      const startedAt = performance.now();
      const args = number === 1 && !hasServed ? [FIRST] : [];
      const { isReady, ended } = await launch({ exec: program, args }, settingsOf(number));
      hasServed ||= isReady;
      if (isReady) {
        log[starts > 1 ? "warn" : "info"]({ process: number }, "the process serves");
        onReady();
      }
      const [code, signal] = await ended;
      if (isEnding) return;
      if (!hasServed && (code === REPORTED_ERROR || starts === MAX_KILLED_STARTS))
        throw new OperatorError(`Process ${number} of ${env.HUB_PROCESSES} did not start.`);
      if (performance.now() - startedAt > STABLE_MS) delayMs = MIN_RESTART_MS;
      log.error({ process: number, code, signal, delayMs }, "a process has ended; starting it again");
      await sleep(delayMs);
      delayMs = Math.min(2 * delayMs, MAX_RESTART_MS);
    }
  };
  const startProcess = (number: number) =>
    new Promise<void>((resolve, reject) => void keepRunning(number, resolve).catch(reject));

  const workers = () =>
    Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && hasStarted(worker)) as Worker[];
  const signalAll = (signal: NodeJS.Signals) => workers().forEach((worker) => worker.process.kill(signal));
  const children = {
    async drain() {
      isEnding = true;
      const ends = workers().map(waitForEnd);
      signalAll("SIGTERM");
      await Promise.all(ends);
    },
    closeConnections: () => signalAll("SIGTERM"),
  };
  runProcess(children, log, async (hooks) => {
    port = await findPort(env.PORT);
    await openDataDir(env.HUB_DATA_DIR);
    const database = await openDatabase(env, "server");
    hooks.stop.push(() => database.leave());
    hooks.kill.push(
      async () => signalAll("SIGKILL"),
      () => database.kill(),
    );
    // The first one starts alone: it creates the demo account and ends what a crash left behind.
    await startProcess(1);
    await Promise.all(Array.from({ length: env.HUB_PROCESSES - 1 }, (_, index) => startProcess(index + 2)));
    return { lost: database.lost, prepareStop: () => undefined };
  });
}

/** Starts a process and waits until it serves or has ended; one that the system does not start has ended at once. */
async function launch(program: ClusterSettings, settings: Record<string, string>) {
  cluster.setupPrimary(program);
  const worker = fork(settings);
  if (typeof worker === "string") return { ended: Promise.resolve<End>([worker, null]), isReady: false };
  const ended = waitForEnd(worker);
  return { ended, isReady: await Promise.race([waitUntilReady(worker), ended.then(() => false)]) };
}

/** Returns the process; or an error's code if there is no memory for it. */
function fork(settings: Record<string, string>): Worker | string {
  try {
    return cluster.fork(settings);
  } catch (error) {
    return codeOf(error);
  }
}

/** How a process has ended: its exit code or the code of the error that prevented its start, or the signal that ended it. */
type End = [code: number | string | null, signal: string | null];

const waitForEnd = (worker: Worker): Promise<End> =>
  new Promise((resolve) => {
    worker.once("exit", (code, signal) => resolve([code, signal]));
    // The channel to a process that was started may fail too, before its end.
    worker.on("error", (error) => {
      if (!hasStarted(worker)) resolve([codeOf(error), null]);
    });
  });

const hasStarted = ({ process }: Worker): boolean => process.pid !== undefined;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const waitUntilReady = (worker: Worker): Promise<true> =>
  new Promise((resolve) => {
    worker.on("message", (message) => {
      if (message === READY) resolve(true);
    });
  });
