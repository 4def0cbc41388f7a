import { expireFiles } from "../server/domain/files/expire";
import { purgeReplies } from "../server/domain/generations/end/chat-replies";
import { redispatchFetches } from "../server/domain/generations/queue/external-inputs";
import { failSupplyTimedOut, failWaitingTooLong } from "../server/domain/generations/end/fail-waiting";
import { indexOlderGenerations } from "../server/domain/generations/search/index-words";
import { purgeJoinable } from "../server/domain/generations/replay/joinable";
import { pullBackTimes } from "../server/domain/generations/run/pull-back-times";
import { redispatchLapsed, redispatchStale } from "../server/domain/generations/queue/redispatch";
import { purgeAnswers, purgeIdempotencyKeys } from "../server/domain/generations/replay/replay";
import { requeueExpiredLeases } from "../server/domain/generations/run/requeue";
import { queueSupplied } from "../server/domain/generations/queue/supply";
import { getHubState } from "../server/domain/operations/hub-state";
import { describeRetention } from "../server/domain/operations/retention";
import { failTimedOut } from "../server/domain/generations/run/fail-timed-out";
import {
  pullBackDeliveries,
  purgeEvents,
  redispatchDeliveries,
} from "../server/domain/deliveries/redispatch-deliveries";
import { rollUpMoney } from "../server/domain/operations/money";
import type { Hub } from "../server/context";
import { deriveHub } from "../test/derive-hub";
import { quantile } from "./load";
import { checkBound, MAX_GROWTH, printLine, printTitle } from "./report";
import { timeOnce } from "./time-once";

/** Steps of the sweep that take less are not compared, because chance decides. */
const MIN_COMPARED_MS = 3;
const RETENTION_DAYS = 31;
const DAY_MS = 86_400_000;
/** A step of the sweep removes for five seconds of each minute, so that this is 500 a second in the long run. */
const MIN_PURGED_PER_SECOND = 6_000;

/** Steps of the sweep and pages of operators, which must not read history when there is nothing to do. */
const sweeps: Record<string, (hub: Hub) => Promise<unknown>> = {
  pullBackTimes,
  pullBackDeliveries,
  redispatchStale: (hub) => redispatchStale(hub),
  queueSupplied: (hub) => queueSupplied(hub, "all"),
  redispatchFetches: (hub) => redispatchFetches(hub, false),
  failSupplyTimedOut,
  failWaitingTooLong,
  requeueExpiredLeases,
  redispatchLapsed,
  failTimedOut,
  purgeAnswers: (hub) => purgeAnswers(hub, 5_000),
  purgeIdempotencyKeys: (hub) => purgeIdempotencyKeys(hub, 5_000),
  purgeJoinable: (hub) => purgeJoinable(hub, 5_000),
  purgeReplies: (hub) => purgeReplies(hub, 5_000),
  expireFiles: (hub) => expireFiles(hub, 500),
  rollUpMoney,
  redispatchDeliveries: (hub) => redispatchDeliveries(hub),
  purgeEvents: (hub) => purgeEvents(hub, 2_000),
  indexOlderGenerations: (hub) => indexOlderGenerations(hub, 500),
  getHubState,
  describeRetention,
};

/** Compares the time of each of these in two databases. */
export async function compareSweeps(few: Hub, many: Hub): Promise<void> {
  printTitle("steps of the sweep that find nothing to do, median of ten in ms");
  for (const [name, run] of Object.entries(sweeps)) {
    const times = { few: [] as number[], many: [] as number[] };
    for (let round = -2; round < 10; round += 1) {
      const [inFew, inMany] = [await timeOnce(() => run(few)), await timeOnce(() => run(many))];
      if (round < 0) continue;
      times.few.push(inFew.ms);
      times.many.push(inMany.ms);
    }
    printSweep(name, quantile(times.few, 0.5), quantile(times.many, 0.5));
  }
}

function printSweep(name: string, few: number, many: number): void {
  if (many < MIN_COMPARED_MS)
    return printLine(`  ${name.padEnd(22)} ${few.toFixed(2)} with few, ${many.toFixed(2)} with many`);
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
