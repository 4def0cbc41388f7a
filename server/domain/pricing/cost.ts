import type { Nano } from "../../lib/money";
import type { Price } from "./price";
import { tokenCost, type Tokens } from "./token-cost";

/** What a job used, as far as its provider told. GPU time is metered, and priced, in the database (workers/meter.ts). */
export type Usage = { tokens: Tokens } | Record<string, never>;

/**
 * What a success costs at its frozen price, in nano-euros rounded up once. It may pass the estimate: settlement caps
 * the charge, and records the rest. Usage that is missing, negative or absurd counts as the estimate, which is all
 * that is known then.
 */
export function costOf(price: Price, estimated: Nano, usage: Usage): Nano {
  if (price.by === "token" && "tokens" in usage && isCount(usage.tokens.input) && isCount(usage.tokens.output)) {
    return tokenCost(price, usage.tokens);
  }
  return estimated;
}

// No job comes near; beyond it a column of money could overflow.
const MOST = 1_000_000_000;
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST;
