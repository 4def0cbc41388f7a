import type { Queryable } from "../../db/client";
import { int4, int8Number, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { cutText } from "../../lib/cut-text";
import { newId } from "../../lib/id";
import { type Cents, isPaymentRejected } from "../../payments/provider";
import { dispatchDeliveries, type PendingDelivery } from "../events";
import { operate, type Operator } from "../operator-actions";
import {
  bookPayment,
  centsToEuros,
  endRefund,
  lockPayment,
  type Payment,
  refundableCents,
  type StoredRefund,
} from "../payments";
import { refundColumns, refundSql } from "../payments/sql";
import type { ReconciliationHub } from "./hub";
import { describeError, type ReconciliationFailure } from "./payment-events";
import { providerOf, reconcilePayment, selectPayment } from "./reconcile-payment";

interface RefundRequest {
  paymentId: string;
  /** In cents with tax; by default everything that is left. */
  amount?: Cents;
  /** What was left of the payment when the operator decided, so that a repeated request refunds nothing more. */
  left?: Cents;
  reason: string;
}

/**
 * Refunds a payment in whole or in part. The amount is taken off the balance before the refund is sent, and returned only
 * if the provider definitely rejects it. Throws 404 for an unknown payment, 400 for an amount above what is left of it,
 * 402 if the available balance does not cover it, and 409 if another amount is left than the request says.
 */
export async function refundPayment(
  hub: ReconciliationHub,
  operator: Operator,
  { paymentId, amount, left: expected, reason }: RefundRequest,
): Promise<{ payment: Payment; refundId: string }> {
  if (reason.trim() === "") throw invalidInput("reason", "must not be empty");
  const refundId = newId();
  let deliveries: PendingDelivery[] = [];
  await operate(
    hub,
    operator,
    { action: "payment.refund", target: { kind: "payment", id: paymentId }, reason },
    async (tx) => {
      const [payment] = await lockPayment(tx, paymentId);
      if (!payment) throw new AppError("resource_not_found", "There is no such payment.");
      const left = refundableCents(payment);
      if (expected !== undefined && expected !== left)
        throw new AppError("invalid_state", `${centsToEuros(left)} EUR of this payment are left now. Try again.`);
      const asked = amount ?? left;
      if (asked < 1 || asked > left)
        throw invalidInput(
          "amount",
          `must be above 0 and at most ${centsToEuros(left)} EUR, which is left of the payment`,
        );
      const booked = await bookRefund(hub, tx, payment, { refundId, amount: asked, reason });
      deliveries = booked.deliveries;
      return {
        before: { refunded: centsToEuros(payment.refunded) },
        after: { refunded: centsToEuros(booked.payment.refunded), account: payment.account_id },
        result: undefined,
      };
    },
  );
  dispatchDeliveries(hub, deliveries);
  await sendRefund(hub, refundId).catch((error: unknown) => {
    hub.log.warn({ err: error, refund: refundId }, "refund could not be sent yet; it is sent again");
  });
  const [payment] = await selectPayment(hub.db, paymentId);
  return { payment: payment!, refundId };
}

/**
 * Takes a refund of a locked payment off the balance, in the caller's transaction. Send it once that is committed. Throws a
 * 402 if the available balance does not cover it.
 */
export async function bookRefund(
  hub: ReconciliationHub,
  tx: Queryable,
  payment: Payment,
  { refundId, amount, reason }: { refundId: string; amount: Cents; reason: string },
): Promise<{ payment: Payment; deliveries: PendingDelivery[] }> {
  const isManual = payment.provider === "manual";
  await insertRefund(tx, refundId, payment.id, amount, isManual ? "refunded" : "refunding", reason, hub.now());
  const change = { refunded: payment.refunded + amount };
  const booked = await bookPayment(hub, tx, payment, change, { mustBeCovered: true });
  if (!booked)
    throw new AppError("insufficient_credits", "The available balance does not cover this refund: it was spent.");
  return booked;
}

/** Sends a booked refund and books its outcome. Can be repeated. */
export async function sendRefund(hub: ReconciliationHub, refundId: string): Promise<void> {
  // The provider may have the refund already, if its response was lost.
  const [known] = await selectRefund(hub.db, refundId);
  if (!known || known.state !== "refunding") return;
  const payment = await reconcilePayment(hub, known.payment_id);
  const [refund] = await selectRefund(hub.db, refundId);
  const provider = payment && providerOf(hub, payment);
  if (refund?.state !== "refunding" || !payment?.intent_ref || !provider) return;
  try {
    await provider.refund({ key: refund.id, intent: payment.intent_ref, amount: refund.amount });
  } catch (error) {
    if (!isPaymentRejected(error)) throw error;
    await failRefund(hub, refund, error.message);
    return;
  }
  await reconcilePayment(hub, payment.id);
}

/** Returns the amount of a refund that the provider rejected to the balance. */
async function failRefund(hub: ReconciliationHub, refund: StoredRefund, message: string): Promise<void> {
  const deliveries = await hub.db.transaction(async (tx) => {
    const [payment] = await lockPayment(tx, refund.payment_id);
    const [failed] = await endRefund(tx, refund.id, "failed", null, cutText(message, 500), hub.now());
    if (!failed) return [];
    const change = { refund_failed: payment!.refund_failed + refund.amount };
    return (await bookPayment(hub, tx, payment!, change))!.deliveries;
  });
  dispatchDeliveries(hub, deliveries);
}

const MAX_SENT = 20;

/** Sends up to 20 refunds again whose outcome is unknown. Returns how many. */
export const sendOpenRefunds = async (hub: ReconciliationHub): Promise<number> =>
  (await sendRefunds(hub, MAX_SENT)).sent;

/** Sends refunds again whose outcome is unknown, at most `limit`; null for all of them. */
export async function sendRefunds(
  hub: ReconciliationHub,
  limit: number | null,
): Promise<{ sent: number; failed: ReconciliationFailure[] }> {
  const open = await selectOpenRefunds(hub.db, limit);
  const failed: ReconciliationFailure[] = [];
  for (const { id } of open) {
    await sendRefund(hub, id).catch((error: unknown) => {
      failed.push({ id, error: describeError(error) });
      hub.log.warn({ err: error, refund: id }, "refund could not be sent yet; it is sent again");
    });
  }
  return { sent: open.length, failed };
}

const insertRefund = statement({
  params: [uuid, uuid, int4, textOf<StoredRefund["state"]>(), text, timestamptz],
  row: {},
  text: `
    INSERT INTO payment_refund (id, payment_id, amount, state, reason, created_at, settled_at)
    VALUES ($1, $2, $3, $4::text, $5, $6::timestamptz, CASE WHEN $4::text <> 'refunding' THEN $6::timestamptz END)`,
});

const selectRefund = statement({
  params: [uuid],
  row: refundColumns,
  text: `SELECT ${refundSql} FROM payment_refund r WHERE r.id = $1`,
});

// In random order, so that refunds that keep failing do not block the others.
const selectOpenRefunds = statement({
  params: [nullable(int8Number)],
  row: { id: uuid },
  text: "SELECT id FROM payment_refund WHERE state = 'refunding' ORDER BY random() LIMIT $1",
});
