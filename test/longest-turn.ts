import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/**
 * Returns the longest turn of this thread's event loop, in milliseconds, while `work` runs. On Linux a turn is measured
 * in processor time of the thread, because a busy machine pauses any process for longer than a turn may take. Time in
 * which the loop sleeps because it has nothing to do is not counted.
 */
export async function measureLongestTurn(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let turnStart = readClock();
  let isDone = false;
  const watchTurns = () => {
    const now = readClock();
    longestMs = Math.max(longestMs, now - turnStart);
    turnStart = now;
    // Unreferenced, so that it does not keep the loop from sleeping.
    if (!isDone) setImmediate(watchTurns).unref();
  };
  watchTurns();
  await work();
  isDone = true;
  // The turn in which the work ended counts too.
  watchTurns();
  return longestMs;
}

/** How often turns are measured before a long one counts. */
export const MAX_RUNS = 60;

/**
 * Returns the shortest of the longest turns of up to `MAX_RUNS` runs of `work`, which is run again only while a turn
 * was `maxMs` or longer: a virtual machine that is paused counts the pause as processor time. `prepare` comes before
 * each run, and is not measured.
 */
export async function measureLongestTurnAgain(
  maxMs: number,
  work: () => Promise<unknown>,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  let shortest = Infinity;
  for (let run = 0; run < MAX_RUNS && shortest >= maxMs; run += 1) {
    await prepare();
    shortest = Math.min(shortest, await measureLongestTurn(work));
  }
  return shortest;
}

const readClock =
  process.platform === "linux"
    ? () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6
    : () => performance.eventLoopUtilization().active;
