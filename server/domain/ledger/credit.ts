import { bool, int4, int8, nullable, text, textOf, timestamptz } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { isUniqueViolation } from "../../db/violation";
import { formatDecimal, type Nano, toEuros } from "../../lib/money";
import { lockAccount } from "../accounts";
import { creditBalanceSql } from "../accounts/sql";
import { operate, type Operator } from "../operator-actions";
import { consumeDailyCredit } from "../operator-tokens";
import type { LedgerHub } from "./hub";

export interface CreditRequest {
  /** In nano-euros; negative to correct an earlier credit, at most by the available paid or promotional credit. */
  amount: Nano;
  /** Makes the call idempotent: each reference is credited once. */
  reference?: string | null;
  note?: string | null;
  /** Whether it is promotional credit: spent before paid credit, and never refunded. */
  promotional?: boolean;
}

/**
 * Credits an account with one ledger entry. Returns the balance, and whether this call changed it. Throws 400 for an amount of
 * zero, 404 for a missing account, and 402 when the available paid or promotional credit does not cover a correction.
 */
export async function creditAccount(hub: LedgerHub, accountId: number, request: CreditRequest): Promise<Credited> {
  const insertCredit = () => insertChecked(hub.db, accountId, request, hub.now());
  // Of two concurrent calls with one reference, the second violates its uniqueness and finds the first on the retry.
  return insertCredit().catch((error: unknown) => {
    if (isUniqueViolation(error)) return insertCredit();
    throw error;
  });
}

/** Throws a 409 for a closed account, whose balance nobody can spend. */
async function rejectClosed(tx: Queryable, accountId: number): Promise<void> {
  const [account] = await lockAccount(tx, accountId);
  if (account?.closed_at) throw new AppError("invalid_state", "The account is closed.");
}

/** References that the hub itself gives to credits, and by which the audit finds what they credit. */
const RESERVED = /^(payment|sign-up|closing|voucher):/;

/** The balance after a credit, and whether this call changed it. */
interface Credited {
  balance: Nano;
  credited: boolean;
}

/**
 * Credits an account on behalf of an operator, as `creditAccount` does. A repeated reference is not recorded again. Throws a
 * 400 for a reference that begins like those of the hub, a 409 for a closed account, and a 402 when the daily limit of an
 * operator's token does not cover the amount.
 */
export async function grantCredit(
  hub: LedgerHub,
  operator: Operator,
  accountId: number,
  { reason, ...request }: CreditRequest & { reason?: string | null },
): Promise<Credited> {
  if (request.reference && RESERVED.test(request.reference))
    throw invalidInput("reference", "begins like a reference of the hub: choose another one");
  const target = { kind: "account", id: String(accountId) };
  let outcome: Credited | undefined;
  await operate(hub, operator, { action: "credit.grant", target, reason }, async (tx) => {
    await rejectClosed(tx, accountId);
    outcome = await insertChecked(tx, accountId, request, hub.now());
    const { balance, credited } = outcome;
    if (!credited) return null;
    const { amount, reference = null, promotional = false } = request;
    if (operator.tokenId !== undefined) await consumeDailyCredit(tx, operator.tokenId, amount, hub.now());
    return {
      before: { balance: formatDecimal(balance - amount) },
      after: { balance: formatDecimal(balance), amount: formatDecimal(amount), reference, promotional },
      result: undefined,
    };
  });
  return outcome!;
}

/** Returns the credit or correction of an account that has this reference. Throws a 404 if there is none. */
export async function findCredit(hub: LedgerHub, accountId: number, reference: string) {
  const [entry] = await selectCredit(hub.db, accountId, reference);
  if (!entry) throw new AppError("resource_not_found", "There is no such credit.");
  return {
    id: String(entry.id),
    account: accountId,
    amount: toEuros(entry.amount),
    reference,
    note: entry.note,
    balance_after: toEuros(entry.balance_after),
    created_at: entry.created_at.toISOString(),
  };
}

const selectCredit = statement({
  params: [int4, text],
  row: { id: int8, amount: int8, note: nullable(text), balance_after: int8, created_at: timestamptz },
  text: "SELECT id, amount, note, balance_after, created_at FROM ledger_entry WHERE account_id = $1 AND reference = $2",
});

async function insertChecked(
  on: Queryable,
  accountId: number,
  { amount, reference = null, note = null, promotional = false }: CreditRequest,
  now: Date,
): Promise<Credited> {
  if (amount === 0n) throw invalidInput("amount", "must not be zero");
  const [row] = await credit(on, accountId, amount, reference, note, now, promotional ? "promotional" : "credit");
  if (!row) throw new AppError("resource_not_found", "There is no such account.");
  if (row.credited === null)
    throw new AppError(
      "insufficient_credits",
      `The available ${promotional ? "promotional" : "paid"} credit does not cover this correction.`,
    );
  return { balance: row.balance, credited: row.credited };
}

/** Kinds of entries that raise a balance: credit, or the return of what a refund or a dispute has taken back. */
type CreditKind = "credit" | "promotional" | "refund" | "dispute";

/** Credits an account within the caller's transaction, which has locked or inserted its row. Each reference is credited once. */
export async function creditInTransaction(
  tx: Queryable,
  accountId: number,
  { amount, reference, note, kind = "credit" }: Required<Omit<CreditRequest, "promotional">> & { kind?: CreditKind },
  now: Date,
): Promise<void> {
  await credit(tx, accountId, amount, reference, note, now, kind);
}

// Paid credit first repays the account's debt, which is a second entry after its own (decision 60).
const credit = statement({
  params: [int4, int8, nullable(text), nullable(text), timestamptz, textOf<CreditKind>()],
  row: { balance: int8, credited: nullable(bool) },
  text: `
    WITH target AS MATERIALIZED (
      SELECT id, balance, reserved, owed, promotional FROM account WHERE id = $1 FOR UPDATE
    ),
    known AS (SELECT FROM ledger_entry WHERE account_id = $1 AND reference = $3),
    ${creditBalanceSql({ amount: "$2::bigint", isPromotional: "$6::text = 'promotional'" })},
    entry AS (
      INSERT INTO ledger_entry (account_id, kind, amount, promotional, balance_after, reference, note, created_at)
      SELECT id, kind, amount, promotional, balance_after, reference, note, $5 FROM (
        SELECT id, $6::text AS kind, $2 AS amount, CASE WHEN $6::text = 'promotional' THEN $2 ELSE 0 END AS promotional,
               balance AS balance_after, $3 AS reference, $4 AS note, 1 AS place
        FROM credited
        UNION ALL
        SELECT id, 'repayment', -repaid, 0, balance - repaid, NULL, NULL, 2 FROM credited WHERE repaid > 0
      ) item ORDER BY place
    )
    SELECT coalesce(credited.balance - credited.repaid, target.balance) AS balance,
           CASE WHEN credited.id IS NOT NULL THEN true WHEN EXISTS (SELECT FROM known) THEN false END AS credited
    FROM target LEFT JOIN credited USING (id)`,
});
