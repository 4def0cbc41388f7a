import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The process that serves a cluster, as it describes itself in its data directory. */
export interface Postmaster {
  pid: number;
  /** When it started, according to its pid file: distinguishes it from a later process with the same id. */
  startedAt: string;
  port: number;
  /** Whether it serves its port; one that starts may find that another process has it. */
  isReady: boolean;
  /** Whether it accepts no new connections and is about to end. */
  isStopping: boolean;
}

/** Returns the running server of a cluster; null if none runs, even if a crashed one left its pid file. */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const pidFile = await readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "");
  // A postmaster that has just started has not written all lines yet.
  const [pidLine, , startedAt = "", portLine, , , , state] = pidFile.split("\n");
  const [pid, port] = [Number(pidLine), Number(portLine)];
  const isFound = pid > 0 && port > 0 && isAlive(pid) && (await servesCluster(pid, data));
  const is = (word: string) => state?.trim() === word;
  return isFound ? { pid, startedAt, port, isReady: is("ready"), isStopping: is("stopping") } : null;
}

/** Returns the port of a postmaster that crashed, where others still look for the cluster; null if it shut down cleanly. */
export async function findCrashedPort(data: string): Promise<number | null> {
  const pidFile = await readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "");
  return Number(pidFile.split("\n")[3]) || null;
}

/** Returns whether two descriptions are of one process. */
export const isSamePostmaster = (one: Postmaster, other: Postmaster | null): boolean =>
  one.pid === other?.pid && one.startedAt === other.startedAt;

/**
 * Returns whether a process was started as the server of this cluster, because the id of a crashed one may belong to
 * another process by now. True where the system does not show how processes were started.
 */
async function servesCluster(pid: number, data: string): Promise<boolean> {
  const values = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => null);
  if (values === null) return true;
  const folder = /\0-D\0([^\0]+)/.exec(values)?.[1];
  const resolve = (place: string) => realpath(place).catch(() => place);
  return folder !== undefined && (await resolve(folder)) === (await resolve(data));
}

const STOP_TIMEOUT_MS = 10_000;

/** Stops it by an orderly shutdown, and waits; after ten seconds by force (it then recovers at its next start). */
export async function stopPostmaster(data: string, postmaster: Postmaster): Promise<void> {
  await signalPostmaster(data, postmaster, "SIGINT");
  await signalPostmaster(data, postmaster, "SIGQUIT");
}

/**
 * Sends it a signal unless it has ended, and waits for its end for up to ten seconds. Another postmaster that serves
 * the cluster by now is left alone.
 */
export async function signalPostmaster(
  data: string,
  postmaster: Postmaster,
  signal: "SIGINT" | "SIGQUIT",
): Promise<void> {
  if (!isSamePostmaster(postmaster, await findPostmaster(data))) return;
  const { pid } = postmaster;
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
    return;
  }
  for (let waited = 0; waited < STOP_TIMEOUT_MS && isAlive(pid); waited += 10) await sleep(10);
}

/** Returns whether a process has this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
