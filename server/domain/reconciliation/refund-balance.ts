import { int4, notNull, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId } from "../../lib/id";
import type { Cents } from "../../payments/provider";
import { refundableSql } from "../accounts/sql";
import { dispatchDeliveries } from "../events";
import { lockPayment, refundWithin } from "../payments";
import { paymentColumns, paymentSql } from "../payments/sql";
import type { ReconciliationHub } from "./hub";
import { providerOf, reconcilePayment } from "./reconcile-payment";
import { bookRefund, sendRefund } from "./refund";

/**
 * Refunds an account's available paid credit to the payments that it came from, the newest first, and sends the refunds.
 * Payments without a provider, and those of which a refund has failed since `since`, are left to the operator. Each payment is
 * first compared with its provider, which may have refunds that a restored backup does not know. Throws PaymentUnavailable.
 */
export async function refundBalance(
  hub: ReconciliationHub,
  accountId: number,
  { reason, since }: { reason: string; since: Date },
): Promise<void> {
  if ((await findRefundable(hub, accountId)) < 1) return;
  for (const { id } of await selectRefundable(hub.db, accountId, since)) {
    const payment = await reconcilePayment(hub, id);
    if (payment && providerOf(hub, payment)) await refundWhatIsLeft(hub, id, reason);
  }
}

/** Returns how much of an account's balance can be refunded to the payments that it came from, in cents without tax. */
export async function findRefundable(hub: ReconciliationHub, accountId: number): Promise<Cents> {
  const payments = await selectPayments(hub.db, accountId);
  const left = payments
    .filter((payment) => providerOf(hub, payment) && payment.disputed <= payment.reinstated)
    .reduce((sum, { amount: paid, refund_booked }) => sum + paid - refund_booked, 0);
  return Math.min(left, payments[0]?.available_cents ?? 0);
}

/** Brings the payments of an account to the state of their provider. Throws PaymentUnavailable. */
export async function reconcileAccount(hub: ReconciliationHub, accountId: number): Promise<void> {
  for (const { id } of await selectPaid(hub.db, accountId)) await reconcilePayment(hub, id);
}

async function refundWhatIsLeft(hub: ReconciliationHub, paymentId: string, reason: string): Promise<void> {
  const refundId = newId();
  const deliveries = await hub.db.transaction(async (tx) => {
    const [payment] = await lockPayment(tx, paymentId);
    const [account] = await lockRefundableCents(tx, payment!.account_id);
    const amount = refundWithin(payment!, account!.cents);
    if (amount < 1) return null;
    return (await bookRefund(hub, tx, payment!, { refundId, amount, reason })).deliveries;
  });
  if (!deliveries) return;
  dispatchDeliveries(hub, deliveries);
  await sendRefund(hub, refundId).catch((error: unknown) => {
    hub.log.warn({ err: error, refund: refundId }, "refund could not be sent yet; it is sent again");
  });
}

const refundableCentsSql = `least(${refundableSql("a")} / 10000000, 2147483647)::integer`;

const lockRefundableCents = statement({
  params: [int4],
  row: { cents: notNull(int4) },
  text: `SELECT ${refundableCentsSql} AS cents FROM account a WHERE id = $1 FOR UPDATE`,
});

const selectRefundable = statement({
  params: [int4, timestamptz],
  row: { id: uuid },
  text: `
    SELECT p.id FROM payment p WHERE p.account_id = $1 AND p.state = 'paid' AND p.provider <> 'manual'
      AND NOT EXISTS (SELECT FROM payment_refund r WHERE r.payment_id = p.id AND r.state = 'failed' AND r.settled_at >= $2)
    ORDER BY p.id DESC`,
});

const selectPaid = statement({
  params: [int4],
  row: { id: uuid },
  text: "SELECT id FROM payment WHERE account_id = $1 AND state = 'paid' AND provider <> 'manual' ORDER BY id",
});

const selectPayments = statement({
  params: [int4],
  row: { ...paymentColumns, available_cents: notNull(int4) },
  text: `
    SELECT ${paymentSql}, ${refundableCentsSql} AS available_cents FROM payment p JOIN account a ON a.id = p.account_id
    WHERE p.account_id = $1 AND p.state = 'paid'`,
});
