import type { Inngest } from "inngest";
import { sweep } from "../inngest/functions/sweep";
import type { Hub } from "../server/domain/hub";
import { getHubState } from "../server/domain/operations/hub-state";
import { describeRetention } from "../server/domain/operations/retention";
import { purgeIdempotencyKeys } from "../server/domain/generations/replay/replay";
import { purgeEvents } from "../server/domain/deliveries/redispatch-deliveries";
import { deriveHub } from "../test/derive-hub";
import { median, timeOnce } from "./load";
import { checkBound, MAX_GROWTH, printLine, printTitle } from "./report";

/** Steps of the sweep that take less are not compared, because chance decides. */
const MIN_COMPARED_MS = 3;
const ROUNDS = 10;
const RETENTION_DAYS = 31;
const DAY_MS = 86_400_000;
/** A step of the sweep removes rows for five seconds of each minute, so this averages 500 a second. */
const MIN_PURGED_PER_SECOND = 6_000;

type RunStep = (name: string, work: () => Promise<unknown>) => Promise<unknown>;

/** Runs every step of the sweep and the reads of operators' pages; none of them may read history when there is nothing to do. */
async function runSteps(hub: Hub, run: RunStep): Promise<void> {
  // Runs the sweep function itself, so that no step is forgotten here.
  const inngest = { createFunction: (_options: unknown, handler: unknown) => handler } as unknown as Inngest;
  const runSweep = sweep(inngest, hub) as unknown as (call: object) => Promise<void>;
  await runSweep({ event: { name: "inngest/scheduled.timer" }, step: { run } });
  await run("getHubState", () => getHubState(hub));
  await run("describeRetention", () => describeRetention(hub));
}

/** Compares the time of each of these in two databases. */
export async function compareSweeps(few: Hub, many: Hub): Promise<void> {
  printTitle(`steps of the sweep that find nothing to do, median of ${ROUNDS} in ms`);
  const times = new Map<string, { few: number[]; many: number[] }>();
  // The first two rounds warm both up and are not counted.
  for (let round = -2; round < ROUNDS; round += 1)
    for (const [size, hub] of Object.entries({ few, many }) as ["few" | "many", Hub][])
      await runSteps(hub, async (name, work) => {
        const { ms, result } = await timeOnce(work);
        const step = times.get(name) ?? { few: [], many: [] };
        times.set(name, step);
        if (round >= 0) step[size].push(ms);
        return result;
      });
  for (const [name, step] of times) printSweep(name, median(step.few), median(step.many));
}

function printSweep(name: string, few: number, many: number): void {
  if (many < MIN_COMPARED_MS)
    return printLine(`  ${name.padEnd(24)} ${few.toFixed(2)} with few, ${many.toFixed(2)} with many`);
  checkBound(`${name}: ${many.toFixed(1)} ms, times that with few`, many / few, "at most", MAX_GROWTH);
}

/** Measures how many rows a second the sweep removes once their time is over. */
export async function measureRetention(hub: Hub): Promise<void> {
  printTitle("retention, by statements of as many rows as the sweep removes at once");
  const later = deriveHub(hub, { now: () => new Date(Date.now() + RETENTION_DAYS * DAY_MS) });
  const purges: [name: string, limit: number, purge: (hub: Hub, limit: number) => Promise<number>][] = [
    ["events with a delivery and an attempt", 2_000, purgeEvents],
    ["idempotency keys", 5_000, purgeIdempotencyKeys],
  ];
  for (const [name, limit, purge] of purges) {
    let removed = 0;
    const { ms } = await timeOnce(async () => {
      for (let count = limit; count >= limit; removed += count) count = await purge(later, limit);
    });
    printLine(`  ${removed} ${name} in ${(ms / 1000).toFixed(1)} s`);
    checkBound(`${name} a second`, removed / (ms / 1000), "at least", MIN_PURGED_PER_SECOND);
  }
}
