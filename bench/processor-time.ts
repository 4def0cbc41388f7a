import type { Hub } from "../server/domain/hub";
import { readParents, readProcessFile } from "../test/process-tree";

const CLOCK_TICKS_PER_SECOND = 100;

/**
 * Returns the seconds of CPU time that a process and its descendants have used, including descendants that have ended.
 * Only on Linux.
 */
export function readProcessorSeconds(pid: number): number {
  const parents = [...readParents()];
  const read = (one: number): number =>
    parents
      .filter(([, parent]) => parent === one)
      .reduce((sum, [child]) => sum + read(child), readTicks(one) / CLOCK_TICKS_PER_SECOND);
  return read(pid);
}

function readTicks(pid: number): number {
  const stat = readProcessFile(pid, "stat");
  // The name of a program may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** Returns the process id of the Postgres server of a hub, which runs on this machine. */
export async function findPostgres({ db }: Pick<Hub, "db">): Promise<number> {
  const [row] = await db.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return readParents().get(row!.pid)!;
}
