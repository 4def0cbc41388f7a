import type { Db } from "../../db/client";
import { int8, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { toEuros } from "../../lib/money";
import { maybeBilledSql } from "../generations/queue/sql";
import {
  accountInvariants,
  appSpendInvariant,
  billingTotalInvariant,
  keySpendInvariant,
  paymentInvariants,
  providerSpendInvariant,
} from "./account-invariants";
import { bookInvariant } from "./book-invariants";
import { budgetInvariants } from "./budget-invariants";
import { closingInvariants, closingSumInvariants } from "./closing-invariants";
import { contentInvariants } from "./content-invariants";
import { stateInvariants, tierInvariant, tokenInvariant, workerInvariants } from "./generation-invariants";
import { usageInvariant, usageSumInvariants } from "./usage-invariants";
import { taxInvariants } from "./tax-invariants";
import { voucherInvariants } from "./voucher-invariants";
import { declareScoped, findClosing, type Invariant } from "./scope";

export interface Violation {
  /** The name of the violated check. */
  check: string;
  subject: string;
  message: string;
}

export interface Audit {
  /** The last closed month, such as "2026-10": it and earlier months were not read again. Null if everything was read. */
  closed_until: string | null;
  accounts: number;
  generations: number;
  entries: number;
  /** In EUR, summed over all accounts; `reserved` and `excess` too. */
  balance: number;
  reserved: number;
  /** What providers charged beyond the estimates: the operator's loss, billed to no account. */
  excess: number;
  /** Attempts that a provider may have worked on and billed, which cannot be known. These are no violations. */
  lost: number;
  /** Attempts that bought work again after an answer was lost, as the operator has chosen for its route. */
  bought_again: number;
  violations: Violation[];
}

const readSnapshot = statement({
  params: [],
  row: {},
  text: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
});

const sumTotals = declareScoped({
  row: {
    accounts: int8,
    generations: int8,
    entries: int8,
    balance: int8,
    reserved: int8,
    excess: int8,
    lost: int8,
    bought_again: int8,
  },
  text: `
    SELECT (SELECT count(*) FROM account) AS accounts,
           closed.generations + (SELECT count(*) FROM generation) AS generations,
           closed.entries + (SELECT count(*) FROM ledger_entry) AS entries,
           (SELECT coalesce(sum(balance), 0)::bigint FROM account) AS balance,
           (SELECT coalesce(sum(reserved), 0)::bigint FROM account) AS reserved,
           closed.excess + (SELECT coalesce(sum(excess_cost), 0)::bigint FROM generation) AS excess,
           (SELECT count(*) FROM public.attempt WHERE ${maybeBilledSql}) AS lost,
           (SELECT count(*) FROM public.attempt WHERE reason = 'bought_again') AS bought_again
    FROM closed`,
});

/** The invariants in the order in which the audit reports their violations. */
const invariants = [
  ...accountInvariants,
  ...paymentInvariants,
  ...voucherInvariants,
  ...taxInvariants,
  ...stateInvariants,
  billingTotalInvariant,
  ...workerInvariants,
  tierInvariant,
  tokenInvariant,
  bookInvariant,
  ...contentInvariants,
  keySpendInvariant,
  ...budgetInvariants,
  appSpendInvariant,
  providerSpendInvariant,
  usageInvariant,
  ...closingInvariants,
];

const declareCheck = ({ name, sql }: Invariant) => ({
  name,
  select: declareScoped({ row: { subject: text, message: text }, text: sql }),
});

const checks = invariants.map(declareCheck);

/** What only the full audit checks, because it needs the rows of closed months. */
const fullChecks = [...closingSumInvariants, ...usageSumInvariants].map(declareCheck);

/**
 * Computes every balance, hold, state and total again in one consistent snapshot; safe on a live system. With `isFull` from
 * the beginning, closings included; else from the newest closing on.
 */
export function runAudit(db: Db, { isFull = true } = {}): Promise<Audit> {
  return db.transaction(async (tx) => {
    await readSnapshot(tx);
    const closing = isFull ? undefined : await findClosing(tx);
    const [sums] = await sumTotals(tx, closing);
    const violations: Violation[] = [];
    for (const { name, select } of closing ? checks : [...checks, ...fullChecks]) {
      const rows = await select(tx, closing);
      for (const row of rows) violations.push({ check: name, ...row });
    }
    const { accounts, generations, entries, balance, reserved, excess, lost, bought_again } = sums!;
    return {
      closed_until: closing?.month ?? null,
      accounts: Number(accounts),
      generations: Number(generations),
      entries: Number(entries),
      balance: toEuros(balance),
      reserved: toEuros(reserved),
      excess: toEuros(excess),
      lost: Number(lost),
      bought_again: Number(bought_again),
      violations,
    };
  });
}
