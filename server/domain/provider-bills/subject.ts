import { mulCeil, type Nano } from "../../lib/money";

/** The amounts of a bill and of the hub for one job, or for one day, in billionths. */
export interface Subject {
  /** Null if the bill does not have it. `isStated`: no line lacks an amount; `isInside`: a line is in the period. */
  billed: { usd: Nano; eur: Nano; isStated: boolean; isInside: boolean } | null;
  /** Null if the hub does not know it. `isExpected`: it should be on the bill of this period. */
  known: { cost: Nano; isStated: boolean; isExpected: boolean } | null;
  generationId: string | null;
  at: Date | null;
  /** EUR per USD, in billionths. */
  rate: Nano;
}

/** Returns what was billed for a job or a day, in nano-euros at the rate that the hub has used for it. */
export const toBilledEuros = ({ rate }: Subject, { usd, eur }: NonNullable<Subject["billed"]>): Nano =>
  eur + (usd < 0n ? -mulCeil(-usd, rate) : mulCeil(usd, rate));
