import path from "node:path";
import type { RunningHub } from "../e2e/server";
import { findPostmaster } from "../server/db/embedded/postmaster";
import { readParents, readProcessFile } from "./process-tree";

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
 * Returns the memory of a process and its descendants in MB: the sum of their proportional shares (PSS, or only those
 * of `kind`), in which pages that several of them use count once. Leaves out `except` and its descendants. Only on
 * Linux.
 */
export function measureMemory(pid: number, { kind = "Pss", except }: { kind?: string; except?: number } = {}): number {
  const parents = [...readParents()];
  const measure = (one: number): number =>
    parents
      .filter(([child, parent]) => parent === one && child !== except)
      .reduce((sum, [child]) => sum + measure(child), readKilobytes(one, kind));
  return measure(pid) / 1_024;
}

const readKilobytes = (pid: number, kind: string): number =>
  Number(new RegExp(`^${kind}:\\s+(\\d+) kB$`, "m").exec(readProcessFile(pid, "smaps_rollup"))?.[1] ?? 0);
