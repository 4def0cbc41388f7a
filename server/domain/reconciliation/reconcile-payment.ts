import { int4, int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import type { PaymentProvider, PaymentRef, PaymentState, ProviderRefund } from "../../payments/provider";
import { dispatchDeliveries } from "../events";
import {
  bookPayment,
  lockPayment,
  noteOutcome,
  type Payment,
  type PaymentChange,
  selectRefunds,
  settleRefund,
  type StoredRefund,
} from "../payments";
import { saveMethod } from "../payment-customers";
import { paymentColumns, paymentSql } from "../payments/sql";
import type { ReconciliationHub } from "./hub";

/** Returns the provider that the hub can ask about a payment; null for a manual one, or without its settings. */
export const providerOf = (hub: ReconciliationHub, { provider }: Pick<Payment, "provider">): PaymentProvider | null =>
  provider === "manual" ? null : (hub.payments[provider] ?? null);

/** Returns what a provider is asked about; null while it does not know the payment. */
export const refOf = ({ id, kind, provider_ref: ref }: Payment): PaymentRef | null =>
  ref === null || kind === "manual" ? null : { id, kind, ref };

/**
 * Fetches a payment from its provider and brings the books to that state, so that the order, number and loss of events do
 * not matter. Account and currency are those of the hub's own row, and so is the amount unless less was paid. Returns the
 * payment; null if there is none. Throws PaymentUnavailable, and a 409 for a payment that is not the one that was asked for,
 * whose row then says so.
 */
export async function reconcilePayment(hub: ReconciliationHub, id: string): Promise<Payment | null> {
  const [row] = await selectPayment(hub.db, id);
  if (!row) return null;
  const [provider, ref] = [providerOf(hub, row), refOf(row)];
  if (!provider || !ref) return row;
  const state = await provider.fetchPayment(ref);
  const issue = findMismatch(row, state);
  if (issue) {
    await setError(hub.db, id, issue);
    throw new AppError("invalid_state", `Payment ${id} cannot be credited: ${issue}.`);
  }
  const { payment, deliveries, hasEnded } = await hub.db.transaction(async (tx) => {
    const [locked] = await lockPayment(tx, id);
    const refunds = await selectRefunds(tx, id);
    const booked = await bookPayment(hub, tx, locked!, toChange(state, refunds));
    for (const refund of refunds) await settleRefund(tx, refund, findRefund(refund, state.refunds), hub.now());
    if (state.method && state.state === "paid")
      await saveMethod(tx, locked!.account_id, state.method.customer, state.method.ref, state.method.label);
    await noteOutcome(hub, tx, locked!, booked!.payment, state.failure);
    return { ...booked!, hasEnded: locked!.state !== booked!.payment.state };
  });
  if (hasEnded) hub.metrics.payments.add({ outcome: payment.state });
  dispatchDeliveries(hub, deliveries);
  return payment;
}

const findRefund = (refund: StoredRefund, found: ProviderRefund[]): ProviderRefund | undefined =>
  found.find(({ ref, key }) => key === refund.id || ref === refund.provider_ref);

/** Returns the change that a provider's state means, with the refunds that it does not have yet. */
function toChange(state: PaymentState, own: StoredRefund[]): PaymentChange {
  const sum = (refunds: { amount: number }[]) => refunds.reduce((total, { amount }) => total + amount, 0);
  const unsent = own.filter((refund) => !findRefund(refund, state.refunds));
  const failed = [
    ...state.refunds.filter(
      (refund) => refund.hasFailed || own.some((one) => one.state === "failed" && findRefund(one, [refund])),
    ),
    ...unsent.filter((refund) => refund.state === "failed"),
  ];
  const isPaid = state.state === "paid";
  return {
    state: state.state === "open" || state.state === "processing" ? "pending" : state.state,
    intent_ref: state.intent,
    failure_code: state.state === "failed" ? (state.failure?.code ?? "failed") : null,
    invoice_url: state.invoiceUrl,
    ...(isPaid && { amount: state.paid, tax: state.tax }),
    refunded: isPaid ? sum(state.refunds) + sum(unsent) : 0,
    refund_failed: isPaid ? sum(failed) : 0,
    disputed: state.disputed,
    reinstated: state.reinstated,
  };
}

/** Returns what is wrong with a paid payment; null if it is the one that the hub asked for. */
function findMismatch({ state: stored, amount, currency }: Payment, state: PaymentState): string | null {
  if (state.state !== "paid" || stored === "paid") return null;
  if (state.currency.toUpperCase() !== currency || state.amount !== amount) {
    const got = `${(state.amount / 100).toFixed(2)} ${state.currency.toUpperCase()}`;
    return `expected ${(amount / 100).toFixed(2)} ${currency}, but the provider has ${got}`;
  }
  // Refunds and disputes refer to the charge: without it they could not be taken back.
  return state.intent === null ? "the provider says that it is paid, but names no charge" : null;
}

export const selectPayment = statement({
  params: [uuid],
  row: paymentColumns,
  text: `SELECT ${paymentSql} FROM payment p WHERE p.id = $1`,
});

const setError = statement({
  params: [uuid, text],
  row: {},
  text: "UPDATE payment SET error = $2 WHERE id = $1",
});

const MAX_CHECKED = 50;

/**
 * Asks the providers about pending payments that are due: more and more seldom the older they are. Nothing that waits for
 * a customer is charged here. Returns how many were asked about.
 */
export async function checkPendingPayments(hub: ReconciliationHub): Promise<number> {
  const due = await claimDueChecks(hub.db, hub.now(), MAX_CHECKED);
  for (const { id, provider_ref, account_id } of due) {
    if (provider_ref === null) continue;
    await reconcilePayment(hub, id).catch((error: unknown) => {
      hub.log.warn({ err: error, payment: id, account: account_id }, "payment could not be checked");
    });
  }
  return due.length;
}

/** Returns every pending payment that a provider can be asked about, the oldest first. */
export const selectAllPending = statement({
  params: [],
  row: { id: uuid },
  text: "SELECT id FROM payment WHERE state = 'pending' AND provider_ref IS NOT NULL ORDER BY created_at",
});

// A payment that was never sent to the provider has no page on which it could be paid.
const claimDueChecks = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid, account_id: int4, provider_ref: nullable(text) },
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, created_at, provider_ref IS NULL AND kind = 'top_up' AND created_at < $1::timestamptz - interval '1 hour' AS is_abandoned
      FROM payment WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE payment p SET
      state = CASE WHEN is_abandoned THEN 'expired' ELSE p.state END,
      settled_at = CASE WHEN is_abandoned THEN $1 END,
      next_check_at = CASE WHEN NOT is_abandoned THEN $1::timestamptz + least(greatest($1::timestamptz - p.created_at, interval '5 minutes'), interval '1 day') END
    FROM due WHERE p.id = due.id RETURNING p.id, p.account_id, p.provider_ref`,
});
