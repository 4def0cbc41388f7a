import type { Ctx } from "../../context";
import { int4, int8, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { type Nano, toEuros } from "../../lib/money";
import { findTightestBudget, getWindowEnd } from "../budgets";
import { periodSql } from "../keys/sql";
import { getNextReset, type SpendReset } from "../keys";
import type { LedgerHub } from "./hub";

export interface Funds {
  /** The maximum cost of a request at this moment, in nano-euros. */
  available: Nano;
  /** Explains the amount in an error message. */
  explanation: string;
  /** Whether the key's spend limit or a budget sets the amount, not the balance. */
  isSpendLimit: boolean;
  /** The budget that sets the amount. */
  budget?: { id: string; name: string; resets_at: string | null };
}

const fundsColumns = {
  available: int8,
  owed: int8,
  name: nullable(text),
  spend_limit: nullable(int8),
  spend_limit_reset: nullable(textOf<NonNullable<SpendReset>>()),
  left: nullable(int8),
};

/**
 * Returns the account's available balance, or the rest of the key's spend limit or of a budget if that is less. Which budgets
 * count depends on the labels of the request.
 */
export async function findFunds(ctx: Ctx<LedgerHub>): Promise<Funds> {
  const [funds, budget] = await Promise.all([findAccountFunds(ctx), findTightestBudget(ctx)]);
  if (!budget || budget.left > funds.available || funds.isInDebt) return funds;
  const { id, name, amount, window, left } = budget;
  const end = getWindowEnd(window, ctx.hub.now());
  const limit = `the budget "${name}" is ${toEuros(amount)} EUR`;
  return {
    available: left,
    explanation: explainRest(limit, left, window === "total" ? null : window, end),
    isSpendLimit: true,
    budget: { id, name, resets_at: end?.toISOString() ?? null },
  };
}

async function findAccountFunds(ctx: Ctx<LedgerHub>): Promise<Funds & { isInDebt: boolean }> {
  const keyId = ctx.actor.kind === "key" ? ctx.actor.id : null;
  const now = ctx.hub.now();
  const [row] = await selectFunds(ctx.hub.db, ctx.account.id, keyId, now);
  const { available, owed, left } = row!;
  const isInDebt = owed > 0n && available === 0n;
  if (!isInDebt && left !== null && left <= available)
    return { available: left, explanation: explainLimit(row!, left, now), isSpendLimit: true, isInDebt };
  const rest = `you have ${toEuros(available)} EUR available`;
  const explanation = owed === 0n ? rest : `${isInDebt ? "" : `${rest}; `}${explainDebt(owed)}`;
  return { available, explanation, isSpendLimit: false, isInDebt };
}

const explainDebt = (owed: Nano): string =>
  `your account owes ${toEuros(owed)} EUR because a payment was refunded or disputed; your next payments repay that first`;

function explainLimit(
  { name, spend_limit, spend_limit_reset: reset }: RowOf<typeof fundsColumns>,
  left: Nano,
  now: Date,
): string {
  const limit = `the spend limit of the API key "${name}" is ${toEuros(spend_limit!)} EUR`;
  return explainRest(limit, left, reset, getNextReset(reset, now));
}

function explainRest(limit: string, left: Nano, window: string | null, end: Date | null): string {
  const rest = `of which ${toEuros(left)} EUR are left`;
  if (window === null) return `${limit} in total, ${rest}; it never resets`;
  return `${limit} a ${window}, ${rest}; it resets at ${end!.toISOString()}`;
}

const selectFunds = statement({
  params: [int4, nullable(uuid), timestamptz],
  row: fundsColumns,
  text: `
    SELECT a.balance - a.reserved AS available, a.owed, k.name, k.spend_limit, k.spend_limit_reset,
           CASE WHEN k.id IS NOT NULL THEN greatest(k.spend_limit - coalesce(s.reserved + s.charged, 0), 0) END AS left
    FROM account a
    LEFT JOIN api_key k ON k.id = $2 AND k.spend_limit IS NOT NULL
    LEFT JOIN key_spending s ON s.key_id = k.id AND s.period = ${periodSql("k.spend_limit_reset", "$3::timestamptz")}
    WHERE a.id = $1`,
});
