import { appendFileSync, readFileSync } from "node:fs";

// Loaded into a hub by `--import`: appends each turn of its event loop that takes longer than a few milliseconds of
// processor time to a file, so that a test can read the longest.
const { TURN_METER_FILE } = process.env;
const MIN_MS = 5;

const readClock = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
let startedAt = readClock();
function endTurn() {
  const ms = readClock() - startedAt;
  if (ms > MIN_MS) appendFileSync(TURN_METER_FILE, `${ms.toFixed(1)}\n`);
  startedAt = readClock();
  setImmediate(endTurn).unref();
}
if (TURN_METER_FILE) endTurn();
