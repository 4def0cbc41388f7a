import type { Queryable } from "../../db/client";
import { bool, int4, int8, text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Nano } from "../../lib/money";
import { reverseBalanceSql } from "../accounts/sql";

interface Reversal {
  kind: "refund" | "dispute" | "given_up";
  /** In nano-euros, above zero. */
  amount: Nano;
  reference: string;
  note: string;
  /** Whether the available balance must cover the amount; otherwise the account owes the rest. */
  mustBeCovered?: boolean;
}

/**
 * Takes back a payment, or what an account gives up, within the caller's transaction, whose lock on the payment's or the
 * account's row ensures that this happens once. One entry takes from the available paid credit, or from all available credit
 * if the account gives it up, and the rest is added to its debt. Returns false, and changes nothing, when the amount must be
 * covered and is not.
 */
export async function reverseCredit(
  tx: Queryable,
  accountId: number,
  { kind, amount, reference, note, mustBeCovered = false }: Reversal,
  now: Date,
): Promise<boolean> {
  return (await reverse(tx, accountId, amount, mustBeCovered, kind, reference, note, now)).length > 0;
}

const reverse = statement({
  params: [int4, int8, bool, textOf<Reversal["kind"]>(), text, text, timestamptz],
  row: { taken: int8 },
  text: `
    WITH target AS MATERIALIZED (
      SELECT id, balance, reserved, owed, promotional FROM account WHERE id = $1 FOR UPDATE
    ),
    ${reverseBalanceSql({ amount: "$2", covered: "$3", takesPromotional: "$4 = 'given_up'" })},
    entry AS (
      INSERT INTO ledger_entry (account_id, kind, amount, promotional, balance_after, reference, note, created_at)
      SELECT id, $4, -taken, -promotional_taken, balance, $5, $6, $7 FROM reversed WHERE taken > 0
    )
    SELECT taken FROM reversed`,
});
