import { nullable, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { cutText } from "../../lib/cut-text";
import {
  isPaymentRejected,
  type PaymentProvider,
  type PaymentRef,
  type PaymentState,
  type ProviderRefund,
} from "../../payments/provider";
import { dispatchDeliveries } from "../events";
import {
  bookPayment,
  lockPayment,
  recordOutcome,
  type Payment,
  type PaymentChange,
  selectRefunds,
  settleRefund,
  type StoredRefund,
} from "../payments";
import { saveMethod } from "../payment-customers";
import { paymentColumns, paymentSql } from "../payments/sql";
import type { ReconciliationHub } from "./hub";

/** Returns the provider of a payment; null for a manual payment, or if the provider is not configured. */
export const providerOf = (hub: ReconciliationHub, { provider }: Pick<Payment, "provider">): PaymentProvider | null =>
  provider === "manual" ? null : (hub.payments[provider] ?? null);

/** Returns what identifies a payment at its provider; null while the provider does not know it. */
export const refOf = ({ id, kind, provider_ref: ref }: Payment): PaymentRef | null =>
  ref === null || kind === "manual" ? null : { id, kind, ref };

/**
 * Fetches a payment from its provider and books the difference to the stored one, so that events may be lost, repeated or
 * reordered. The account and the currency are those of the hub's row, and so is the amount unless less was paid. Returns
 * the payment; null if there is none. Throws PaymentUnavailable, and a 409 if the provider has another payment than was
 * requested, which the row then records.
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
    // Later events of this payment come when the customer may have saved another method.
    if (state.method && locked!.state !== "paid" && booked!.payment.state === "paid")
      await saveMethod(tx, locked!.account_id, state.method.customer, state.method.ref, state.method.label);
    await recordOutcome(hub, tx, locked!, booked!.payment, state.failure);
    return { ...booked!, hasEnded: locked!.state !== booked!.payment.state };
  });
  if (hasEnded) hub.metrics.payments.add({ outcome: payment.state });
  dispatchDeliveries(hub, deliveries);
  await creditRefunds(hub, provider, payment, state);
  return payment;
}

/**
 * Lets the provider issue credit notes for refunds of a payment whose invoice it made. After a crash before this, the event that
 * reported the refund is applied again. A rejection is recorded with the payment, because the refund itself is done.
 */
async function creditRefunds(
  hub: ReconciliationHub,
  provider: PaymentProvider,
  { id, error: known }: Payment,
  { invoice, refunds }: PaymentState,
): Promise<void> {
  if (invoice === null || !refunds.some(({ hasSucceeded }) => hasSucceeded)) return;
  const issue = await provider.issueCreditNotes(invoice, refunds).then(
    () => null,
    (error: unknown) => {
      if (!isPaymentRejected(error)) throw error;
      return cutText(error.message, MAX_ISSUE);
    },
  );
  if (issue !== known) await setError(hub.db, id, issue);
}

const MAX_ISSUE = 500;

const findRefund = (refund: StoredRefund, found: ProviderRefund[]): ProviderRefund | undefined =>
  found.find(({ ref, key }) => key === refund.id || ref === refund.provider_ref);

/** Converts a provider's state to a change, with the refunds that the provider does not have yet. */
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

/** Describes how a paid payment differs from the one that the hub requested; null if it does not. */
function findMismatch({ state: stored, amount, currency }: Payment, state: PaymentState): string | null {
  if (state.state !== "paid" || stored === "paid") return null;
  if (state.currency.toUpperCase() !== currency || state.amount !== amount) {
    const got = `${(state.amount / 100).toFixed(2)} ${state.currency.toUpperCase()}`;
    return `expected ${(amount / 100).toFixed(2)} ${currency}, but the provider has ${got}`;
  }
  // Refunds and disputes refer to the charge, so they could not be booked without one.
  return state.intent === null ? "the provider says that it is paid, but names no charge" : null;
}

/** Returns the payment `$1`. */
export const selectPayment = statement({
  params: [uuid],
  row: paymentColumns,
  text: `SELECT ${paymentSql} FROM payment p WHERE p.id = $1`,
});

const setError = statement({
  params: [uuid, nullable(text)],
  row: {},
  text: "UPDATE payment SET error = $2 WHERE id = $1",
});
