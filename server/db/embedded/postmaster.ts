import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The process that serves a cluster, as it describes itself in its data directory. */
export interface Postmaster {
  pid: number;
  port: number;
  /** It takes no new connections and ends, sooner or later. */
  isStopping: boolean;
}

/** Returns the running server of a cluster; null if none runs, even if a crashed one left its pid file. */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const pidFile = await readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "");
  // Line 1 is the process, line 4 the port, line 8 its state; a young postmaster has not written all of them yet.
  const lines = pidFile.split("\n");
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 && isAlive(pid) ? { pid, port, isStopping: lines[7]?.trim() === "stopping" } : null;
}

const STOP_TIMEOUT_MS = 10_000;

/** Stops it as an orderly shutdown does, and waits; after ten seconds without mercy (it then recovers at its next start). */
export async function stopPostmaster(data: string): Promise<void> {
  await signalPostmaster(data, "SIGINT");
  await signalPostmaster(data, "SIGQUIT");
}

/** Sends it a signal, and waits for its end for up to ten seconds. */
export async function signalPostmaster(data: string, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  const running = await findPostmaster(data);
  if (!running) return;
  process.kill(running.pid, signal);
  for (let waited = 0; waited < STOP_TIMEOUT_MS && isAlive(running.pid); waited += 10) await sleep(10);
}

/** Returns whether a process has this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
