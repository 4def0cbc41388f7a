import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../server/domain/audit/audit";
import { createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { chatBody as body } from "./chat";
import { startChild } from "./child";
import { generateLoad, median, quantile } from "./load";
import { generateOpenLoad, type OpenMeasured } from "./open-load";
import { checkBound, printLine, printTitle } from "./report";

const ROUNDS = 5;
const SECONDS = 5;
/** Enough for the largest throughput. */
const CONNECTIONS = 128;
/** Requests per second of one calm customer beside the overload. */
const CALM_PER_SECOND = 20;
const MAX_NORMAL_MS = 100;

/** Measures the hub at twice the load that it can answer, from many accounts and from one. */
export async function benchPressure({ hub, base, upstreamPort }: Bench): Promise<void> {
  printTitle(`Chats under pressure, ${ROUNDS} rounds of ${SECONDS} s`);
  const upstream = await startChild("upstream.ts", { PORT: String(upstreamPort) });
  const [calm, flood, ...many] = (await createCustomers(hub, "pressure", 102)).map(({ key }) => key);
  const url = `${base}/api/v1/hub/chat/completions`;
  const rounds: Round[] = [];
  try {
    const load = { url, method: "POST" as const, body, keys: many, connections: CONNECTIONS };
    await generateLoad({ ...load, seconds: 3 });
    for (let round = 0; round < ROUNDS; round += 1) {
      const { perSecond: capacity } = await generateLoad({ ...load, seconds: SECONDS });
      const overload = (keys: string[]) => runBeside({ url, keys, calm: calm!, perSecond: Math.round(2 * capacity) });
      const spread = await overload(many);
      const recoveryMs = await measureRecovery(url, calm!);
      rounds.push({ capacity, spread, recoveryMs, single: await overload([flood!]) });
      await measureRecovery(url, calm!);
    }
  } finally {
    await upstream.stop();
  }
  report(rounds);
  const { violations } = await runAudit(hub.db);
  checkBound("audit violations", violations.length, "at most", 0);
}

interface Overloaded {
  load: OpenMeasured;
  calm: OpenMeasured;
}

interface Round {
  capacity: number;
  /** The load comes from a hundred accounts (`spread`) or from one (`single`). */
  spread: Overloaded;
  single: Overloaded;
  recoveryMs: number;
}

interface Overload {
  url: string;
  keys: string[];
  calm: string;
  perSecond: number;
}

/** Runs an overload, and a calm customer beside it. */
async function runBeside({ url, keys, calm: key, perSecond }: Overload): Promise<Overloaded> {
  const seconds = SECONDS;
  const [load, calm] = await Promise.all([
    generateOpenLoad({ url, body, keys, perSecond, seconds }),
    generateOpenLoad({ url, body, keys: [key], perSecond: CALM_PER_SECOND, seconds, connections: 100 }),
  ]);
  return { load, calm };
}

/** Returns the milliseconds until chats are answered as usual, ten in a row. */
async function measureRecovery(url: string, key: string): Promise<number> {
  const startedAt = performance.now();
  let normalSince = startedAt;
  for (let inRow = 0; inRow < 10;) {
    const sentAt = performance.now();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body });
    await response.arrayBuffer();
    const isNormal = response.status === 200 && performance.now() - sentAt < MAX_NORMAL_MS;
    inRow = isNormal ? inRow + 1 : 0;
    if (!isNormal) normalSince = performance.now();
    await sleep(10);
  }
  return normalSince - startedAt;
}

const p99Of = (times: number[]) => quantile(times, 0.99);
const rateOf = ({ accepted }: OpenMeasured) => accepted.length / SECONDS;
const acceptedShareOf = ({ accepted, shed, failed }: OpenMeasured) =>
  accepted.length / (accepted.length + shed.length + failed);

function report(rounds: Round[]): void {
  const over = (value: (round: Round) => number) => median(rounds.map(value));
  printLine(`  capacity: ${over(({ capacity }) => capacity).toFixed(0)} chats a second, ${CONNECTIONS} connections`);
  for (const [name, source] of [
    ["spread", "a hundred accounts"],
    ["single", "one account"],
  ] as const) {
    const show = (value: (run: Overloaded) => number) => over((round) => value(round[name])).toFixed(0);
    printLine(`  twice as many from ${source}: ${show(({ load }) => rateOf(load))}/s accepted`);
    printLine(
      `    p99 ${show(({ load }) => p99Of(load.accepted))} ms, rejected ${show(({ load }) => p99Of(load.shed))} ms`,
    );
    printLine(
      `    calm account: p99 ${show(({ calm }) => p99Of(calm.accepted))} ms, ${show(({ calm }) => 100 * acceptedShareOf(calm))} % accepted`,
    );
  }
  const accepted = over(({ spread, capacity }) => rateOf(spread.load) / capacity);
  const p99 = over(({ spread }) => p99Of(spread.load.accepted));
  const recoveryMs = over((round) => round.recoveryMs);
  const failed = rounds.map(({ spread, single }) => spread.load.failed + single.load.failed);
  const calmP99 = over(({ spread, single }) => p99Of(single.calm.accepted) / p99Of(spread.calm.accepted));
  const calmShare = over(({ single }) => acceptedShareOf(single.calm));
  checkBound("accepted under twice the load / capacity", accepted, "at least", 0.7);
  checkBound("p99 of what is accepted", p99, "at most", 1_000, " ms");
  checkBound("until chats are as usual", recoveryMs, "at most", 2_000, " ms");
  checkBound("failed otherwise", Math.max(...failed), "at most", 0);
  checkBound("p99 of a calm account, beside one that floods / beside many", calmP99, "at most", 2);
  checkBound("of its chats accepted beside one that floods", calmShare, "at least", 0.99);
}
