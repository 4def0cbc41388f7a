import { readdirSync, readFileSync } from "node:fs";

/** Returns the parent of every process. Only on Linux. */
export function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const pid of readdirSync("/proc").map(Number).filter(Boolean)) {
    const stat = readProcessFile(pid, "stat");
    // The name of a program may contain spaces and parentheses.
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (parent) parents.set(pid, Number(parent));
  }
  return parents;
}

/** Returns the processes that a process has started. Only on Linux. */
export const childrenOf = (pid: number): number[] =>
  [...readParents()].filter(([, parent]) => parent === pid).map(([child]) => child);

/** Returns the text of a file of a process; nothing if it has ended. */
export function readProcessFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
