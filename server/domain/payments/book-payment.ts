import type { Queryable } from "../../db/client";
import { int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Cents } from "../../payments/provider";
import { emitAccountEvent, type EventName, type PendingDelivery } from "../events";
import { creditInTransaction, reverseCredit } from "../ledger";
import type { PaymentsHub } from "./hub";
import { recordCorrections, recordSupply } from "./record-tax";
import { centsToNano, type Payment, paymentColumns, paymentSql, type StoredState, toEventData } from "./payment";

/** Changes of a payment; absent members stay as they are. A sum below the stored one is outdated and ignored. */
export interface PaymentChange {
  state?: StoredState;
  /** The amount paid, without tax, which is credited; at most the amount requested. */
  amount?: Cents;
  tax?: Cents;
  intent_ref?: string | null;
  failure_code?: string | null;
  invoice_url?: string | null;
  refunded?: Cents;
  refund_failed?: Cents;
  disputed?: Cents;
  reinstated?: Cents;
}

/** Locks a payment until the end of the transaction. Payments are locked before accounts. */
export const lockPayment = statement({
  params: [uuid],
  row: paymentColumns,
  text: `SELECT ${paymentSql} FROM payment p WHERE p.id = $1 FOR NO KEY UPDATE`,
});

/**
 * Applies a change to a locked payment in the caller's transaction, with a ledger entry for each difference, and inserts
 * the events. Applying it again does nothing. Returns null, with nothing changed, if the available balance does not cover
 * the refunds but has to.
 */
export async function bookPayment(
  hub: PaymentsHub,
  tx: Queryable,
  before: Payment,
  change: PaymentChange,
  { mustBeCovered = false } = {},
): Promise<{ payment: Payment; deliveries: PendingDelivery[] } | null> {
  const now = hub.now();
  const after = merge(before, change);
  if (isEqual(before, after)) return { payment: before, deliveries: [] };
  if (before.state !== "paid" && after.state === "paid") await creditPayment(hub, tx, after);
  const deltas = [
    { kind: "refund" as const, delta: after.refund_booked - before.refund_booked },
    { kind: "dispute" as const, delta: after.dispute_booked - before.dispute_booked },
  ];
  // Amounts that are returned come first, so that they cover those that are taken back.
  for (const { kind, delta } of deltas.toSorted((a, b) => a.delta - b.delta))
    if (!(await bookDelta(tx, after, { kind, delta, mustBeCovered }, now))) return null;
  const settledAt = after.state === "pending" ? null : (before.settled_at ?? now);
  const [payment] = await updatePayment(
    tx,
    after.id,
    after.state,
    after.amount,
    after.tax,
    after.intent_ref,
    after.failure_code,
    after.invoice_url,
    after.refunded,
    after.refund_failed,
    after.disputed,
    after.reinstated,
    after.refund_booked,
    after.dispute_booked,
    settledAt,
  );
  await recordCorrections(hub, tx, before, after);
  const deliveries: PendingDelivery[] = [];
  for (const name of eventNamesOf(before, after))
    deliveries.push(...(await emitAccountEvent(tx, after.account_id, name, toEventData(payment!), now)));
  return { payment: payment!, deliveries };
}

interface Delta {
  kind: "refund" | "dispute";
  /** In cents: positive to take back, negative to return. */
  delta: Cents;
  mustBeCovered: boolean;
}

/** Takes back or returns the difference. Returns false if the balance has to cover it and does not. */
async function bookDelta(
  tx: Queryable,
  payment: Payment,
  { kind, delta, mustBeCovered }: Delta,
  now: Date,
): Promise<boolean> {
  if (delta === 0) return true;
  const { id, account_id: account } = payment;
  const reference = `payment:${id}:${kind}:${sumMoved(payment)}`;
  const amount = centsToNano(Math.abs(delta));
  const note = (delta > 0 ? takenNotes : returnedNotes)[kind];
  if (delta > 0) return reverseCredit(tx, account, { kind, amount, reference, note, mustBeCovered }, now);
  await creditInTransaction(tx, account, { amount, reference, note, kind }, now);
  return true;
}

const takenNotes = { refund: "Payment refunded", dispute: "Payment disputed with the bank" };
const returnedNotes = { refund: "Refund failed, amount returned", dispute: "Dispute won, amount returned" };

/** Credits a payment that was paid, once, and records its supply for tax. */
export async function creditPayment(hub: PaymentsHub, tx: Queryable, payment: Payment): Promise<void> {
  const { id, account_id, amount, kind, note } = payment;
  const credit = {
    amount: centsToNano(amount),
    reference: `payment:${id}:paid:${amount}`,
    note: note ?? (kind === "automatic" ? "Automatic top-up" : "Top-up"),
  };
  await creditInTransaction(tx, account_id, credit, hub.now());
  await recordSupply(hub, tx, payment);
}

/** Returns the payment with the change. No sum decreases, and no state goes back. */
function merge(before: Payment, change: PaymentChange): Payment {
  const state = nextState(before.state, change.state ?? before.state);
  const keepsTax = before.state === "paid" || change.tax === undefined;
  const after = {
    ...before,
    ...mergeSums(before, change),
    state,
    amount: amountOf(before, change, state),
    tax: keepsTax ? before.tax : change.tax!,
    intent_ref: before.intent_ref ?? change.intent_ref ?? null,
    failure_code: state === "paid" ? null : (before.failure_code ?? change.failure_code ?? null),
    invoice_url: change.invoice_url ?? before.invoice_url,
  };
  return { ...after, ...bookedOf(after) };
}

/** Returns the amount to credit: the amount paid if that is less than the amount requested. */
const amountOf = ({ state, amount }: Payment, { amount: paid = amount }: PaymentChange, next: StoredState): Cents =>
  state !== "paid" && next === "paid" ? Math.min(amount, paid) : amount;

/** Returns the next state. A final state stays, unless the customer pays after the payment failed or expired. */
const nextState = (before: StoredState, change: StoredState): StoredState =>
  before === "pending" || change === "paid" ? change : before;

const sums = ["refunded", "refund_failed", "disputed", "reinstated"] as const;
const mergeSums = (before: Payment, change: PaymentChange) =>
  Object.fromEntries(sums.map((name) => [name, Math.max(before[name], change[name] ?? 0)])) as Pick<
    Payment,
    (typeof sums)[number]
  >;

/**
 * Returns how much of the credited amount is taken back, in cents without tax: by refunds, and by disputes of the rest.
 * Together they never exceed what was paid.
 */
function bookedOf(payment: Payment): Pick<Payment, "refund_booked" | "dispute_booked"> {
  const { state, amount, tax, refunded, refund_failed, disputed, reinstated } = payment;
  if (state !== "paid") return { refund_booked: 0, dispute_booked: 0 };
  const total = BigInt(amount + tax);
  // Half a cent is rounded up.
  const withoutTax = (cents: number) => {
    const taken = BigInt(Math.min(cents, amount + tax));
    return Number((2n * taken * BigInt(amount) + total) / (2n * total));
  };
  const refund_booked = withoutTax(refunded - refund_failed);
  return {
    refund_booked,
    dispute_booked: withoutTax(refunded - refund_failed + disputed - reinstated) - refund_booked,
  };
}

/** Returns the sum of all movements after the payment. Every change raises it, so that references are unique. */
const sumMoved = ({ refunded, refund_failed, disputed, reinstated }: Payment): Cents =>
  refunded + refund_failed + disputed + reinstated;

const compared = ["state", "tax", "intent_ref", "failure_code", "invoice_url"] as const;
const isEqual = (a: Payment, b: Payment) =>
  compared.every((name) => a[name] === b[name]) &&
  sumMoved(a) === sumMoved(b) &&
  a.refund_booked === b.refund_booked &&
  a.dispute_booked === b.dispute_booked;

function eventNamesOf(before: Payment, after: Payment): EventName[] {
  const names: EventName[] = [];
  if (before.state !== "paid" && after.state === "paid") names.push("payment.succeeded");
  if (before.state !== "failed" && after.state === "failed") names.push("payment.failed");
  const reversed = ({ refund_booked, dispute_booked }: Payment) => refund_booked + dispute_booked;
  if (reversed(after) > reversed(before)) names.push("payment.refunded");
  return names;
}

const updatePayment = statement({
  // prettier-ignore
  params: [
    uuid, textOf<StoredState>(), int4, int4, nullable(text), nullable(text), nullable(text), int4, int4, int4, int4, int4,
    int4, nullable(timestamptz),
  ],
  row: paymentColumns,
  text: `
    UPDATE payment p SET state = $2, amount = $3, tax = $4, intent_ref = $5, failure_code = $6, invoice_url = $7,
      refunded = $8, refund_failed = $9, disputed = $10, reinstated = $11, refund_booked = $12, dispute_booked = $13, settled_at = $14,
      next_check_at = CASE WHEN $2 = 'pending' THEN next_check_at END, error = NULL
    WHERE p.id = $1 RETURNING ${paymentSql}`,
});
