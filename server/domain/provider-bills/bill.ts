import type { Nano } from "../../lib/money";

/** What a bill is compared by: the provider's id of each job, or the sum of each day (UTC). */
export type MatchedBy = "handle" | "day";

/** A line of a provider's bill. */
export interface BillLine {
  /** The provider's id of the job, or the day (YYYY-MM-DD). */
  subject: string;
  /** Null if the bill does not say it. */
  at: Date | null;
  /** What was billed, in billionths of the currency; null if the bill does not say it. */
  amount: Nano | null;
  currency: "usd" | "eur";
}

/** A bill, whose lines are read once and as they arrive. */
export interface Bill {
  /** Its format or its API. */
  source: string;
  matchedBy: MatchedBy;
  lines: AsyncIterable<BillLine>;
}

export const DAY_MS = 86_400_000;

/** Returns the day of a time (UTC). */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
