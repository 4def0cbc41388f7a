import { type Nano, parseDecimal } from "../../lib/money";
import { OperatorError } from "../../lib/operator-error";
import { type Bill, type BillLine, dayOf, type MatchedBy } from "./bill";
import { type BillReport, composeReport } from "./bill-report";
import type { BillsHub } from "./hub";
import { listBilledProviders } from "./billed-providers";
import { type KnownAttempt, MARGIN_MS, type Period, readKnownAttempts } from "./known-attempts";
import type { Subject } from "./subject";

/** How many handles and days are compared at once, because both sides are held in memory. */
const MAX_SUBJECTS = 2_000_000;

interface Comparison extends Period {
  provider: string;
  bill: Bill;
  /** Differences up to this many nano-euros are ignored as rounding. */
  tolerance: Nano;
}

/**
 * Compares a provider's bill with the attempts that the hub knows, and changes nothing. Throws OperatorError for a period or a
 * bill that cannot be compared.
 */
export async function compareBill(hub: BillsHub, comparison: Comparison): Promise<BillReport> {
  const { provider, from, to, bill } = comparison;
  checkPeriod(bill.matchedBy, comparison);
  const subjects = new Map<string, Subject>();
  const rate = parseDecimal(hub.env.EUR_PER_USD);
  const find = (name: string): Subject => {
    let subject = subjects.get(name);
    if (!subject) {
      if (subjects.size === MAX_SUBJECTS)
        throw new OperatorError(`The period has more than ${MAX_SUBJECTS} jobs. Compare a shorter one.`);
      subjects.set(name, (subject = { billed: null, known: null, generationId: null, at: null, rate }));
    }
    return subject;
  };
  for await (const line of bill.lines) if (isNear(line, comparison)) addLine(find(line.subject), line, comparison);

  let attempts = 0;
  const withoutHandle = { count: 0, cost: 0n };
  for await (const page of readKnownAttempts(hub, provider, { from, to })) {
    attempts += page.length;
    for (const attempt of page) {
      const name = nameOf(attempt, bill.matchedBy, comparison);
      if (name !== null) addAttempt(find(name), attempt, bill.matchedBy, comparison);
      else if (bill.matchedBy === "handle" && isExpected(attempt, comparison)) {
        withoutHandle.count += 1;
        withoutHandle.cost += attempt.cost ?? 0n;
      }
    }
  }
  if (attempts === 0) checkProvider(hub, provider);
  return composeReport(subjects, { ...comparison, withoutHandle });
}

function checkPeriod(matchedBy: MatchedBy, { from, to }: Period): void {
  if (from >= to) throw new OperatorError("--to must be later than --from.");
  const isDay = (time: Date) => time.toISOString().endsWith("T00:00:00.000Z");
  if (matchedBy === "day" && !(isDay(from) && isDay(to)))
    throw new OperatorError("This bill has sums of days (UTC): --from and --to must be days, such as 2026-11-01.");
}

function checkProvider(hub: BillsHub, provider: string): void {
  if (listBilledProviders(hub, provider).length === 0)
    throw new OperatorError(
      `No route of the catalogue uses a provider ${provider}, and it has no attempts in this period.`,
    );
}

const isNear = ({ at }: BillLine, { from, to }: Period): boolean =>
  at === null || (at.getTime() >= from.getTime() - MARGIN_MS && at.getTime() < to.getTime() + MARGIN_MS);

const isIn = (time: Date, { from, to }: Period): boolean => time >= from && time < to;

function addLine(subject: Subject, { amount, currency, at }: BillLine, period: Period): void {
  const billed = (subject.billed ??= { usd: 0n, eur: 0n, isStated: true, isInside: false });
  if (amount === null) billed.isStated = false;
  else billed[currency] += amount;
  billed.isInside ||= at === null || isIn(at, period);
  subject.at ??= at;
}

/** Returns the name of an attempt on a bill; null if it has none there. */
function nameOf({ upstream_id, ended_at }: KnownAttempt, matchedBy: MatchedBy, period: Period): string | null {
  if (matchedBy === "handle") return upstream_id;
  return ended_at && isIn(ended_at, period) ? dayOf(ended_at) : null;
}

/**
 * Returns whether the provider should have billed an attempt in the period: it began and ended in the period, and was not free.
 */
function isExpected({ started_at, ended_at, outcome, cost }: KnownAttempt, { from, to }: Period): boolean {
  if (!ended_at || started_at < from || ended_at >= to) return false;
  return cost === null ? outcome === "succeeded" : cost > 0n;
}

function addAttempt(subject: Subject, attempt: KnownAttempt, matchedBy: MatchedBy, period: Period): void {
  const known = (subject.known ??= { cost: 0n, isStated: true, isExpected: false });
  if (attempt.cost === null) known.isStated &&= matchedBy === "day";
  else known.cost += attempt.cost;
  known.isExpected ||= matchedBy === "day" ? known.cost > 0n : isExpected(attempt, period);
  subject.at = attempt.ended_at ?? attempt.started_at;
  if (matchedBy === "day") return;
  subject.generationId = attempt.generation_id;
  if (attempt.rate !== null) subject.rate = parseDecimal(attempt.rate);
}
