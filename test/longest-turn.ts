import { readFileSync } from "node:fs";

/**
 * Returns the longest turn of this thread's event loop, in milliseconds, while `work` runs. On Linux a turn counts by the
 * processor time of its thread, because a busy machine stops any process for longer than code of ours may.
 */
export async function measureLongestTurn(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let turnStart = readClock();
  let isDone = false;
  const watchTurns = () => {
    const now = readClock();
    longestMs = Math.max(longestMs, now - turnStart);
    turnStart = now;
    if (!isDone) setImmediate(watchTurns);
  };
  watchTurns();
  await work();
  isDone = true;
  // The turn in which the work ended counts too.
  watchTurns();
  return longestMs;
}

const readClock =
  process.platform === "linux"
    ? () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6
    : () => performance.now();
