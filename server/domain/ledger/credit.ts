import type { Hub } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { isUniqueViolation } from "../../db/violation";
import type { Nano } from "../../lib/money";

export interface CreditRequest {
  /** Negative to correct an earlier credit; what is held or spent cannot be taken back. */
  amount: Nano;
  /** The same reference credits once, however often it is sent. */
  reference?: string;
  note?: string;
}

/** Puts money on an account, as one entry and one statement. Answers the balance, and whether this call changed it. */
export async function creditAccount(
  hub: Hub,
  accountId: number,
  request: CreditRequest,
): Promise<{ balance: Nano; credited: boolean }> {
  const { amount, reference = null, note = null } = request;
  if (amount === 0n) throw invalidInput("amount", "must not be zero");
  const values = [accountId, amount, reference, note, hub.now()];
  const once = () => hub.db.query<{ balance: Nano; credited: boolean | null }>(statement, values);
  // Two calls with one reference at once: the second violates its uniqueness, and then sees the first.
  const [row] = await once().catch((error: unknown) => {
    if (isUniqueViolation(error)) return once();
    throw error;
  });
  if (!row) throw new AppError("resource_not_found", "There is no such account.");
  if (row.credited === null)
    throw new AppError("insufficient_credits", "The available balance does not cover this correction.");
  return { balance: row.balance, credited: row.credited };
}

const statement = `
  WITH target AS (SELECT id, balance, reserved FROM account WHERE id = $1 FOR NO KEY UPDATE),
  known AS (SELECT FROM ledger_entry WHERE account_id = $1 AND reference = $3),
  credited AS (
    UPDATE account SET balance = account.balance + $2 FROM target
    WHERE account.id = target.id AND account.balance + $2 >= account.reserved AND NOT EXISTS (SELECT FROM known)
    RETURNING account.id, account.balance
  ),
  entry AS (
    INSERT INTO ledger_entry (account_id, kind, amount, balance_after, reference, note, created_at)
    SELECT id, 'credit', $2, balance, $3, $4, $5 FROM credited
  )
  SELECT coalesce(credited.balance, target.balance) AS balance,
         CASE WHEN credited.id IS NOT NULL THEN true WHEN EXISTS (SELECT FROM known) THEN false END AS credited
  FROM target LEFT JOIN credited USING (id)`;
