import type { Queryable } from "../../db/client";
import { bool, int4, int8, text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Nano } from "../../lib/money";
import { reverseBalanceSql } from "../accounts/sql";

export interface Reversal {
  kind: "refund" | "dispute";
  /** In nano-euros, above zero. */
  amount: Nano;
  reference: string;
  note: string;
  /** Whether the available balance must cover it; otherwise the account owes what it does not cover. */
  mustBeCovered?: boolean;
}

/**
 * Takes back a payment within the caller's transaction, which holds the lock of the payment's row and so ensures that it
 * happens once. What the account has available is taken with one entry, the rest is added to what it owes. Returns false,
 * and changes nothing, when it must be covered and is not.
 */
export async function reverseCredit(
  tx: Queryable,
  accountId: number,
  { kind, amount, reference, note, mustBeCovered = false }: Reversal,
  now: Date,
): Promise<boolean> {
  const rows = await reverse(tx, accountId, amount, mustBeCovered, kind, reference, note, now);
  return rows.length > 0;
}

const reverse = statement({
  params: [int4, int8, bool, textOf<Reversal["kind"]>(), text, text, timestamptz],
  row: { taken: int8 },
  text: `
    WITH target AS MATERIALIZED (SELECT id, balance, reserved, owed FROM account WHERE id = $1 FOR UPDATE),
    ${reverseBalanceSql({ amount: "$2", covered: "$3" })},
    entry AS (
      INSERT INTO ledger_entry (account_id, kind, amount, balance_after, reference, note, created_at)
      SELECT id, $4, -taken, balance, $5, $6, $7 FROM reversed WHERE taken > 0
    )
    SELECT taken FROM reversed`,
});
