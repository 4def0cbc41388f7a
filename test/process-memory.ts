import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { RunningHub } from "../e2e/server";
import { findPostmaster } from "../server/db/embedded/postmaster";

interface Memory {
  hub: number;
  postgres: number;
  /** The part of Postgres' memory that its processes share: the buffers, which fill up to their size and stay. */
  buffers: number;
}

/** Returns the megabytes of a hub's own processes and of its embedded Postgres. */
export async function measureHub({ child, dataDir }: RunningHub): Promise<Memory> {
  const { pid } = (await findPostmaster(path.join(dataDir, "postgres", "data")))!;
  return {
    hub: measureMemory(child.pid!, { except: pid }),
    postgres: measureMemory(pid),
    buffers: measureMemory(pid, { kind: "Pss_Shmem" }),
  };
}

/**
 * Returns the memory of a process and its descendants in MB: the sum of their proportional shares (PSS), in which pages
 * that several of them use count once, or those of one kind. Leaves out `except` and what that started. Only on Linux.
 */
function measureMemory(pid: number, { kind = "Pss", except }: { kind?: string; except?: number } = {}): number {
  const parents = [...readParents()];
  const measure = (one: number): number =>
    parents
      .filter(([child, parent]) => parent === one && child !== except)
      .reduce((sum, [child]) => sum + measure(child), readKilobytes(one, kind));
  return measure(pid) / 1_024;
}

/** Returns the parent of every process. */
function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const pid of readdirSync("/proc").map(Number).filter(Boolean)) {
    const stat = readProcessFile(pid, "stat");
    // The name of a program may contain spaces and parentheses.
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (parent) parents.set(pid, Number(parent));
  }
  return parents;
}

const readKilobytes = (pid: number, kind: string): number =>
  Number(new RegExp(`^${kind}:\\s+(\\d+) kB$`, "m").exec(readProcessFile(pid, "smaps_rollup"))?.[1] ?? 0);

/** Returns the text of a file of a process; nothing if it has ended. */
function readProcessFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
