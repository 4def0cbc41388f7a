import type { Hub } from "../../context";
import { bool, int4, int8, nullable, text, timestamptz } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { isUniqueViolation } from "../../db/violation";
import type { Nano } from "../../lib/money";
import { creditBalanceSql } from "../accounts/account-sql";

export interface CreditRequest {
  /** In nano-euros; negative to correct an earlier credit, at most by the available balance. */
  amount: Nano;
  /** Makes the call idempotent: each reference is credited once. */
  reference?: string;
  note?: string;
}

/**
 * Credits an account with one ledger entry. Returns the balance, and whether this call changed it. Throws 400 for an
 * amount of zero, 404 for a missing account, and 402 when the available balance does not cover a correction.
 */
export async function creditAccount(
  hub: Hub,
  accountId: number,
  request: CreditRequest,
): Promise<{ balance: Nano; credited: boolean }> {
  const { amount, reference = null, note = null } = request;
  if (amount === 0n) throw invalidInput("amount", "must not be zero");
  const now = hub.now();
  const insertCredit = () => credit(hub.db, accountId, amount, reference, note, now);
  // Of two concurrent calls with one reference, the second violates its uniqueness and finds the first on the retry.
  const [row] = await insertCredit().catch((error: unknown) => {
    if (isUniqueViolation(error)) return insertCredit();
    throw error;
  });
  if (!row) throw new AppError("resource_not_found", "There is no such account.");
  if (row.credited === null)
    throw new AppError("insufficient_credits", "The available balance does not cover this correction.");
  return { balance: row.balance, credited: row.credited };
}

/** Credits an account within the caller's transaction, in which its row is locked or new. Does nothing the second time. */
export async function creditInTransaction(
  tx: Queryable,
  accountId: number,
  { amount, reference, note }: Required<CreditRequest>,
  now: Date,
): Promise<void> {
  await credit(tx, accountId, amount, reference, note, now);
}

const credit = statement({
  params: [int4, int8, nullable(text), nullable(text), timestamptz],
  row: { balance: int8, credited: nullable(bool) },
  text: `
    WITH target AS (SELECT id, balance, reserved FROM account WHERE id = $1 FOR NO KEY UPDATE),
    known AS (SELECT FROM ledger_entry WHERE account_id = $1 AND reference = $3),
    ${creditBalanceSql("$2")},
    entry AS (
      INSERT INTO ledger_entry (account_id, kind, amount, balance_after, reference, note, created_at)
      SELECT id, 'credit', $2, balance, $3, $4, $5 FROM credited
    )
    SELECT coalesce(credited.balance, target.balance) AS balance,
           CASE WHEN credited.id IS NOT NULL THEN true WHEN EXISTS (SELECT FROM known) THEN false END AS credited
    FROM target LEFT JOIN credited USING (id)`,
});
