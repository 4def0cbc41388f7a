import type { Queryable } from "../../db/client";
import { bool, int4, int8 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { NANO_PER_CENT } from "../../lib/money";
import { refundableSql } from "../accounts/sql";
import { selectUnsettledSql } from "../generations/row/sql";
import { refundWithin } from "../payments";
import { hasOpenDisputeSql, paymentColumns, paymentSql } from "../payments/sql";

/** What an account waits for before it closes. */
export const waits = ["running_work", "pending_payments", "disputes", "debt", "refund_by_operator"] as const;
export type Wait = (typeof waits)[number];

/**
 * Returns what keeps an account from closing; nothing if it can. If the caller has locked the account, the result for running
 * work cannot change, because no new hold is accepted. Credit that a payment brought and no provider can return waits for the
 * operator, unless that is to be ignored.
 */
export async function findWaits(db: Queryable, accountId: number, ignoresBalance: boolean): Promise<Wait[]> {
  const [found] = await selectWaits(db, accountId);
  if (!found) return [];
  const { refundable, ...states } = found;
  const reached = waits.filter((wait) => wait !== "refund_by_operator" && states[wait]);
  if (ignoresBalance || reached.length > 0 || refundable < NANO_PER_CENT) return reached;
  const cents = Number(refundable / NANO_PER_CENT);
  const payments = await selectPaid(db, accountId);
  return payments.some((payment) => refundWithin(payment, cents) > 0) ? ["refund_by_operator"] : [];
}

// A dispute is open from its first event until it is closed; events are stored for longer than any dispute lasts.
const selectWaits = statement({
  params: [int4],
  row: { refundable: int8, running_work: bool, pending_payments: bool, disputes: bool, debt: bool },
  text: `
    SELECT ${refundableSql("a")} AS refundable, a.owed > 0 AS debt,
           a.reserved > 0 OR EXISTS (SELECT FROM (${selectUnsettledSql("account_id")}) g WHERE g.account_id = a.id) AS running_work,
           EXISTS (SELECT FROM payment p WHERE p.account_id = a.id AND (p.state = 'pending' OR EXISTS (
             SELECT FROM payment_refund r WHERE r.payment_id = p.id AND r.state = 'refunding'))) AS pending_payments,
           EXISTS (
             SELECT FROM payment p JOIN payment_event e ON e.provider = p.provider AND e.intent_ref = p.intent_ref
             WHERE p.account_id = a.id AND e.kind LIKE 'charge.dispute.%'
             GROUP BY p.id HAVING ${hasOpenDisputeSql("e")}) AS disputes
    FROM account a WHERE a.id = $1`,
});

const selectPaid = statement({
  params: [int4],
  row: paymentColumns,
  text: `SELECT ${paymentSql} FROM payment p WHERE p.account_id = $1 AND p.state = 'paid' ORDER BY p.id`,
});
