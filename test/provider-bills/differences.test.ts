import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { compareBill, openBillFile } from "../../server/domain/provider-bills";
import { formatDecimal, mulCeil, parseDecimal } from "../../server/lib/money";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { measureLongestTurnAgain } from "../longest-turn";
import { isSoak, soakCount } from "../soak";
import { FROM, insertAttempts, type SeededAttempt, timeOf, TO } from "./bill-fixture";

const COUNT = soakCount(2_000, 100_000);
const INJECTED = 200;
const MAX_MS = 10_000;
const MAX_TURN_MS = 50;

const hub = await testHub();
const { account } = await newCustomer(hub);
const rates = [0.92, 0.87];

test(`of ${COUNT} attempts exactly the ${INJECTED} injected differences are found`, async () => {
  const expected = { billed: new Set<string>(), known: new Set<string>(), differing: new Set<string>() };
  const attempts: SeededAttempt[] = [];
  const lines: string[] = [];
  const addLine = (handle: string, at: Date, usd: bigint) =>
    lines.push(`${handle},${at.toISOString()},fal-ai/flux,"1, or more",${formatDecimal(usd)}`);
  const spacing = COUNT / INJECTED;
  for (let n = 0; n < COUNT; n += 1) {
    const [at, handle] = [timeOf(n, COUNT), `req-${n}`];
    const usd = BigInt((n * 2_654_435_761) % 1_000_000_000) + 2_000_000n;
    const rate = rates[n % rates.length]!;
    const cost = mulCeil(usd, parseDecimal(rate));
    attempts.push({ route: `fal:model-${n % 7}`, handle, at, cost, rate });
    const injected = n % spacing === 0 ? ["billed", "known", "differing"][(n / spacing) % 3] : null;
    if (injected === "known") expected.known.add(handle);
    else if (injected === "differing") {
      expected.differing.add(handle);
      addLine(handle, at, usd + 1_000_000n);
    } else if (n % 11 === 0) {
      // Several events of one job, and a rounding of the provider.
      addLine(handle, at, usd - 1_000_000n);
      addLine(handle, at, 1_000_100n);
    } else addLine(handle, at, usd);
    if (injected === "billed") {
      expected.billed.add(`unknown-${n}`);
      addLine(`unknown-${n}`, at, usd);
    }
    if (n % 13 === 0) attempts.push(...harmless(n, at, cost));
  }
  // A bill has its own order, and may begin before the period.
  lines.reverse();
  addLine("before", new Date(FROM.getTime() - 1_000), 5n);
  await insertAttempts(hub.db, account, attempts);
  const file = path.join(hub.folder, "fal.csv");
  await writeFile(file, `request_id,timestamp,endpoint_id,note,cost_total\r\n${lines.join("\r\n")}\r\n`);

  const compare = async () =>
    compareBill(hub, { provider: "fal", from: FROM, to: TO, bill: await openBillFile(file), tolerance: 1_000n });
  const startedAt = process.cpuUsage();
  const report = await compare();
  const used = process.cpuUsage(startedAt);
  const usedMs = (used.user + used.system) / 1_000;
  expect(usedMs).toBeLessThan(MAX_MS);
  const names = ({ items }: { items: { subject: string }[] }) => new Set(items.map(({ subject }) => subject));
  expect(names(report.billed_not_known)).toEqual(expected.billed);
  expect(names(report.known_not_billed)).toEqual(expected.known);
  expect(names(report.differing)).toEqual(expected.differing);
  const { billed_not_known, known_not_billed, differing, equal } = report;
  expect(billed_not_known.count + known_not_billed.count + differing.count).toBe(INJECTED);
  expect(equal.count).toBe(COUNT - expected.known.size - expected.differing.size);
  expect(equal.billed).toBeCloseTo(equal.known, 2);
  const sum = attempts
    .filter(({ handle }) => handle && expected.known.has(handle))
    .reduce((total, { cost }) => total + cost!, 0n);
  expect(known_not_billed.known).toBe(Number(sum) / 1e9);
  if (!isSoak) expect(await measureLongestTurnAgain(MAX_TURN_MS, compare)).toBeLessThan(MAX_TURN_MS);
});

/** Attempts that must not count as differences: of another provider, outside of the period, free, or refused. */
const harmless = (n: number, at: Date, cost: bigint): SeededAttempt[] => [
  { route: `fal2:model`, handle: `other-${n}`, at, cost },
  { route: `fal:model`, handle: `late-${n}`, at: new Date(TO.getTime() + n), cost },
  { route: `fal:model`, handle: `free-${n}`, at, cost: 0n, outcome: "failed" },
  { route: `fal:model`, handle: null, at, cost: null, outcome: "refused" },
];
