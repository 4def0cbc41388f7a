import type { Queryable } from "../../db/client";
import { array, int4, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { ChargeFailure } from "../../payments/provider";
import type { PaymentsHub } from "./hub";
import type { Payment } from "./payment";

/** Hours until the next charge after the first decline in a row, the second and the third; a fourth pauses the top-up. */
const RETRY_HOURS = [1, 6, 24];

/**
 * Applies the outcome of a charge to the account's automatic top-up, in the transaction that books it. A declined charge
 * is repeated later or, if only the customer can help, pauses the top-up at once; a dispute also pauses it.
 */
export async function recordOutcome(
  hub: PaymentsHub,
  tx: Queryable,
  before: Payment,
  after: Payment,
  failure: ChargeFailure | null,
): Promise<void> {
  const { account_id: account } = after;
  if (after.dispute_booked > before.dispute_booked) await pause(tx, account, "disputed", hub.now());
  if (after.kind !== "automatic" || before.state !== "pending") return;
  if (after.state === "paid") await resetDeclines(tx, account);
  if (after.state !== "failed") return;
  if (failure?.isFinal) await pause(tx, account, failure.code, hub.now());
  else await countDecline(tx, account, RETRY_HOURS, after.failure_code, hub.now());
}

const pause = statement({
  params: [int4, text, timestamptz],
  row: {},
  text: `
    UPDATE automatic_top_up SET state = 'paused', reason = $2, notified_at = NULL, changed_at = $3, next_attempt_at = NULL
    WHERE account_id = $1 AND state = 'on'`,
});

const resetDeclines = statement({
  params: [int4],
  row: {},
  text: "UPDATE automatic_top_up SET declines = 0, next_attempt_at = NULL WHERE account_id = $1",
});

const countDecline = statement({
  params: [int4, array(int4), nullable(text), timestamptz],
  row: {},
  text: `
    UPDATE automatic_top_up SET declines = declines + 1,
      next_attempt_at = CASE WHEN declines < cardinality($2::int[]) THEN $4::timestamptz + ($2::int[])[declines + 1] * interval '1 hour' END,
      state = CASE WHEN declines < cardinality($2::int[]) THEN state ELSE 'paused' END,
      reason = CASE WHEN declines < cardinality($2::int[]) THEN reason ELSE coalesce($3, 'declined') END,
      notified_at = NULL, changed_at = $4
    WHERE account_id = $1 AND state = 'on'`,
});
