import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../lib/free-port";
import { OperatorError } from "../../lib/operator-error";
import { startCluster } from "./cluster";
import { enterCluster, type LockConnection } from "./enter-cluster";
import type { Home } from "./home";
import { findCrashedPort, findPostmaster, isSamePostmaster, type Postmaster } from "./postmaster";

export interface Entry extends LockConnection {
  /** The process that it is connected to. */
  postmaster: Postmaster;
}

interface Options {
  role: "server" | "guest";
  /** The port of a cluster that has to be started; by default that of a crashed one, or a free one. */
  port?: number;
  /** Called before each attempt to start a cluster that is not running; an error ends the search. */
  onStart?: () => void;
}

const START_TIMEOUT_MS = 60_000;
const PAUSE_MS = 20;
const WRONG_PASSWORD = "28P01";
const MAX_STARTS = 5;
// The children and shared memory of a killed postmaster disappear after a moment.
const RESTART_PAUSE_MS = 250;
// A pid file left by a crash may name a process that is now another one. A start then decides: Postgres itself refuses
// it if the file is right.
const STALE_PID_FILE_MS = 3_000;

/** Enters the cluster of a home, and starts it if it is not running. Throws OperatorError if that fails. */
export async function findOrStart(home: Home, { role, port, onStart }: Options): Promise<Entry> {
  let child: ChildProcess | undefined;
  let starts = 0;
  const began = performance.now();
  for (let waited = 0; waited < START_TIMEOUT_MS; waited = performance.now() - began) {
    const running = await findPostmaster(home.data);
    const entry = running?.isReady && (await tryToEnter(running, home, role));
    if (entry) return entry;
    const isDue = !running || (waited > STALE_PID_FILE_MS && starts === 0);
    if (isDue && !isRunning(child)) {
      if (starts === MAX_STARTS) break;
      if (!running) onStart?.();
      await sleep(starts * RESTART_PAUSE_MS);
      starts += 1;
      // A start that finds its port taken ends in an orderly way, and the next one gets a free port.
      child = await startOnPort(home, port);
    }
    await sleep(PAUSE_MS);
  }
  throw new OperatorError(`The embedded Postgres did not start: see ${home.log}.`);
}

const isRunning = (child?: ChildProcess): boolean =>
  child?.pid !== undefined && child.exitCode === null && child.signalCode === null;

/** Returns null if the cluster has just stopped. */
async function tryToEnter(postmaster: Postmaster, home: Home, role: "server" | "guest"): Promise<Entry | null> {
  try {
    const { client, ended } = await enterCluster(postmaster.port, home.password, role);
    // Another one may have replaced it and taken its port just before.
    if (isSamePostmaster(postmaster, await findPostmaster(home.data))) return { client, ended, postmaster };
    await client.end().catch(() => undefined);
    return null;
  } catch (error) {
    if (isTransient(error)) return null;
    if ((error as { code?: string }).code !== WRONG_PASSWORD) throw error;
    throw new OperatorError(`The embedded Postgres in ${home.data} does not accept the password stored beside it.`);
  }
}

// Postgres is starting or stopping (SQLSTATE 57P), or stopped during the exchange.
function isTransient(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|57P..)$/.test(code ?? "") ||
    /terminated|timeout|not queryable/i.test(message ?? "")
  );
}

const settings = {
  // Enough for a hub of 16 processes and its commands.
  max_connections: "300",
  log_min_messages: "warning",
  log_checkpoints: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

async function startOnPort(home: Home, port?: number): Promise<ChildProcess> {
  const chosen = port ?? (await findCrashedPort(home.data)) ?? (await findFreePort());
  const child = await startCluster({ ...home, port: chosen }, settings);
  // An exit is detected by polling; without a listener, a failed spawn would end the process.
  child.once("error", () => undefined);
  return child;
}
