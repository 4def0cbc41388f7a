import { type Nano, toEuros } from "../../lib/money";
import type { Bill, MatchedBy } from "./bill";
import type { Period } from "./known-attempts";
import { type Subject, toBilledEuros } from "./subject";

/** How many differences of a kind a report lists, the largest first; it counts all. */
const MAX_LISTED = 10_000;

/** A job or a day that differs. Amounts are EUR; null where that side states none. */
export interface BillDifference {
  /** The provider's id of the job, or the day. */
  subject: string;
  generation_id: string | null;
  at: string | null;
  billed: number | null;
  known: number | null;
}

/** Differences of a kind: how many, their sums in EUR, and the largest. */
interface Differences {
  count: number;
  billed: number;
  known: number;
  items: BillDifference[];
}

/** How a bill and the hub's attempts agree and differ. Amounts are EUR. */
export interface BillReport {
  provider: string;
  from: string;
  to: string;
  source: string;
  matched_by: MatchedBy;
  /** Jobs or days that both have, with costs that are equal but for rounding. */
  equal: { count: number; billed: number; known: number };
  billed_not_known: Differences;
  known_not_billed: Differences;
  differing: Differences;
  /** Jobs that both have, of which one side states no cost. */
  without_cost: number;
  /** Attempts that should be on the bill, and have no id of the provider to find them by. */
  without_handle: { count: number; cost: number };
}

/** Returns whether a report has differences. */
export const hasDifferences = ({ billed_not_known, known_not_billed, differing }: BillReport): boolean =>
  billed_not_known.count + known_not_billed.count + differing.count > 0;

interface Context extends Period {
  provider: string;
  bill: Bill;
  tolerance: Nano;
  withoutHandle: { count: number; cost: Nano };
}

interface Found {
  name: string;
  subject: Subject;
  billed: Nano | null;
  known: Nano | null;
}

type Kind = "equal" | "without_cost" | "billed_not_known" | "known_not_billed" | "differing";

/** Returns the report that compares a bill with the hub's attempts. */
export function composeReport(subjects: ReadonlyMap<string, Subject>, context: Context): BillReport {
  const { provider, from, to, bill, tolerance, withoutHandle } = context;
  const kinds: Record<Kind, Found[]> = {
    equal: [],
    without_cost: [],
    billed_not_known: [],
    known_not_billed: [],
    differing: [],
  };
  for (const [name, subject] of subjects) {
    const billed = subject.billed?.isStated ? toBilledEuros(subject, subject.billed) : null;
    const known = subject.known?.isStated ? subject.known.cost : null;
    const kind = classify(subject, billed, known, tolerance);
    if (kind) kinds[kind].push({ name, subject, billed, known });
  }
  const { count, billed, known } = describe(kinds.equal, 0);
  return {
    provider,
    from: from.toISOString(),
    to: to.toISOString(),
    source: bill.source,
    matched_by: bill.matchedBy,
    equal: { count, billed, known },
    billed_not_known: describe(kinds.billed_not_known),
    known_not_billed: describe(kinds.known_not_billed),
    differing: describe(kinds.differing),
    without_cost: kinds.without_cost.length,
    without_handle: { count: withoutHandle.count, cost: toEuros(withoutHandle.cost) },
  };
}

/** Returns the kind of a job or a day; null for one that is outside of the period or was free. */
function classify(subject: Subject, billed: Nano | null, known: Nano | null, tolerance: Nano): Kind | null {
  if (!subject.known) return subject.billed!.isInside && billed !== 0n ? "billed_not_known" : null;
  if (!subject.billed) return subject.known.isExpected ? "known_not_billed" : null;
  if (billed === null || known === null) return "without_cost";
  return abs(billed - known) <= tolerance ? "equal" : "differing";
}

const abs = (amount: Nano): Nano => (amount < 0n ? -amount : amount);
const sizeOf = ({ billed, known }: Found): Nano => abs((billed ?? 0n) - (known ?? 0n));

function describe(found: Found[], maxListed = MAX_LISTED): Differences {
  const listed = maxListed === 0 ? [] : found.toSorted((a, b) => Number(sizeOf(b) - sizeOf(a))).slice(0, maxListed);
  return {
    count: found.length,
    billed: toEuros(found.reduce((sum, { billed }) => sum + (billed ?? 0n), 0n)),
    known: toEuros(found.reduce((sum, { known }) => sum + (known ?? 0n), 0n)),
    items: listed.map(({ name, subject: { generationId, at }, billed, known }) => ({
      subject: name,
      generation_id: generationId,
      at: at?.toISOString() ?? null,
      billed: billed === null ? null : toEuros(billed),
      known: known === null ? null : toEuros(known),
    })),
  };
}
