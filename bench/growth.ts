import { runAudit } from "../server/domain/audit/audit";
import { closeMonths } from "../server/domain/audit/closings";
import type { Hub } from "../server/domain/hub";
import { measureDatabase } from "../server/domain/operations/database-sizes";
import { rollUpMoney } from "../server/domain/operations/money";
import { readEnv } from "../server/env";
import { composeHub } from "../server/compose-hub";
import { deriveHub } from "../test/derive-hub";
import { withClient } from "../test/cluster";
import { type Action, actions, type World } from "./growth-actions";
import { fillHistory } from "./growth-fill";
import { compareSweeps, measureRetention } from "./growth-sweeps";
import type { Bench } from "./bench";
import { median, quantile, runConcurrently, timeOnce } from "./load";
import { checkBound, MAX_GROWTH, printLine, printTitle } from "./report";

const DEFAULT_ROWS = 1_000_000;
/** Enough to fill every page in the smaller database. */
const FEW_ROWS = 100_000;
const ACCOUNTS = 1_000;
const ROUNDS = 6;
const ROUND_MS = 1_000;
const CONNECTIONS = 4;
const SAMPLE = 5_000;
const GIBIBYTE = 1024 ** 3;

/** Compares requests and the audit on a database with two years of generations (by default a million) and on a small one. */
export async function benchGrowth(bench: Bench): Promise<void> {
  const { values } = bench;
  const rows = Number(values[values.indexOf("growth") + 1]) || DEFAULT_ROWS;
  printTitle(`a database with ${rows} generations of two years, and one with ${FEW_ROWS}`);
  const few = await openWorld(bench, "growth_few", FEW_ROWS);
  const many = await openWorld(bench, "growth_many", rows);
  try {
    await printSizes(many.hub, rows);
    await compareAudits(few.hub, many.hub);
    await compareActions(few, many);
    await compareSweeps(few.hub, many.hub);
    await measureRetention(many.hub);
  } finally {
    await few.close();
    await many.close();
  }
}

async function openWorld(bench: Bench, name: string, rows: number): Promise<World & { close: () => Promise<void> }> {
  await withClient(`${bench.cluster}/postgres`, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE template_hub`),
  );
  const url = `${bench.cluster}/${name}`;
  const env = readEnv({ ...bench.settings, DATABASE_URL: url, OUTBOUND_ALLOW_HOSTS: "localhost:9" });
  const composition = await composeHub(env, url);
  const due: World["due"] = [];
  const hub = deriveHub(composition.hub, {
    publish: (event) => {
      if (event.name === "delivery/due") due.push(event.data);
    },
  });
  const { accounts, followers, seconds } = await fillHistory(hub, rows, ACCOUNTS);
  printLine(`  filled in ${seconds.toFixed(0)} s, ${(rows / seconds).toFixed(0)} generations a second`);
  while ((await rollUpMoney(hub)) > 0);
  // Samples the newer half, so that older generations fill a page in either database.
  const share = Math.min(100, (100 * SAMPLE * 3) / rows);
  const generations = await hub.db.query<{ id: string; account_id: number }>(
    `SELECT id, account_id FROM generation TABLESAMPLE BERNOULLI (${share})
     WHERE created_at > now() - interval '12 months' LIMIT ${SAMPLE}`,
    [],
    { isLong: true },
  );
  return { hub, rows, accounts, followers, generations, due, close: () => composition.close() };
}

async function printSizes(hub: Hub, rows: number): Promise<void> {
  const { bytes, tables } = await measureDatabase(hub);
  printLine(`  the database has ${(bytes / GIBIBYTE).toFixed(2)} GiB, ${(bytes / rows).toFixed(0)} bytes a generation`);
  for (const { name, rows: count, table_bytes, index_bytes } of tables.slice(0, 8))
    printLine(
      `  ${name.padEnd(20)} ${String(count ?? "?").padStart(10)} rows  ${(table_bytes / GIBIBYTE).toFixed(2)} GiB, indexes ${(index_bytes / GIBIBYTE).toFixed(2)} GiB`,
    );
}

async function compareAudits(few: Hub, many: Hub): Promise<void> {
  printTitle("the audit");
  const full = await timeOnce(() => runAudit(many.db));
  const closing = await timeOnce(() => closeMonths(many));
  const open = await timeOnce(() => runAudit(many.db, { isFull: false }));
  const fullWithClosings = await timeOnce(() => runAudit(many.db));
  const small = await timeOnce(() => runAudit(few.db));
  printLine(`  ${small.ms.toFixed(0)} ms on the small database, ${full.ms.toFixed(0)} ms in full on the large one`);
  printLine(`  ${closing.ms.toFixed(0)} ms to close ${closing.result.length} months`);
  printLine(
    `  ${open.ms.toFixed(0)} ms from the last closing, ${fullWithClosings.ms.toFixed(0)} ms in full with closings`,
  );
  const openRows = await countOpen(many);
  printLine(`  ${openRows} of the generations are in open months`);
  const ratio = open.ms / openRows / (small.ms / FEW_ROWS);
  checkBound("time of an open generation, in the large database / in the small one", ratio, "at most", MAX_GROWTH);
  const violations = [small, full, open, fullWithClosings].flatMap(({ result }) => result.violations);
  for (const { check, subject, message } of violations.slice(0, 5)) printLine(`  ${check}: ${subject}: ${message}`);
  checkBound("violations", violations.length, "at most", 0);
}

async function countOpen({ db }: Hub): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    "SELECT count(*) FROM generation WHERE id >= (SELECT max(before_id::text)::uuid FROM ledger_closing)",
    [],
    { isLong: true },
  );
  return Number(row!.count);
}

async function compareActions(few: World, many: World): Promise<void> {
  printTitle(`p50 and p99 in ms, ${CONNECTIONS} at once, in turn for ${ROUNDS} rounds`);
  for (const [name, action] of Object.entries(actions)) {
    const times = { few: [] as number[], many: [] as number[] };
    // The first round warms both up and is not counted.
    for (let round = -1; round < ROUNDS; round += 1) {
      const [inFew, inMany] = [await measure(few, action), await measure(many, action)];
      if (round < 0) continue;
      times.few.push(...inFew);
      times.many.push(...inMany);
    }
    printComparison(name, times);
  }
}

async function measure(world: World, action: Action): Promise<number[]> {
  const times: number[] = [];
  const deadline = performance.now() + ROUND_MS;
  await runConcurrently(CONNECTIONS, async () => {
    while (performance.now() < deadline) times.push((await timeOnce(await action(world))).ms);
  });
  return times;
}

/** Actions that read more where there is more to find: a search reads the words of an account's newest 2,000 generations. */
const UNBOUNDED = ["list, by search"];

function printComparison(name: string, times: { few: number[]; many: number[] }): void {
  const format = (values: number[]) => `${median(values).toFixed(2)} and ${quantile(values, 0.99).toFixed(1)}`;
  printLine(`  ${name.padEnd(20)} ${format(times.few)} with few, ${format(times.many)} with many`);
  if (UNBOUNDED.includes(name)) return;
  checkBound(`${name}: times its p50 with few`, median(times.many) / median(times.few), "at most", MAX_GROWTH);
}
