import { int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, columnList } from "../../db/statement";
import type { Nano } from "../../lib/money";
import type { Cents } from "../../payments/provider";

export const paymentKinds = ["top_up", "automatic", "manual"] as const;
export type PaymentKind = (typeof paymentKinds)[number];

export const paymentStates = ["pending", "paid", "failed", "expired"] as const;
export type StoredState = (typeof paymentStates)[number];

/** The state of a payment for people and events: after it was paid, what became of the money. */
export type PaymentState = StoredState | "partially_refunded" | "refunded" | "disputed";

export const paymentColumns = {
  id: uuid,
  account_id: int4,
  provider: textOf<"stripe" | "manual">(),
  kind: textOf<PaymentKind>(),
  state: textOf<StoredState>(),
  amount: int4,
  tax: int4,
  currency: text,
  provider_ref: nullable(text),
  intent_ref: nullable(text),
  note: nullable(text),
  refunded: int4,
  refund_failed: int4,
  disputed: int4,
  reinstated: int4,
  refund_booked: int4,
  dispute_booked: int4,
  failure_code: nullable(text),
  error: nullable(text),
  invoice_url: nullable(text),
  created_at: timestamptz,
  sent_at: nullable(timestamptz),
  settled_at: nullable(timestamptz),
};

/** A payment; its amounts are cents. `refunded` and the sums after it are cumulative and include tax. */
export type Payment = RowOf<typeof paymentColumns>;

export const paymentSql = columnList(paymentColumns, "p");

const NANO_PER_CENT = 10_000_000n;

/** Converts cents, the unit of providers, to nano-euros, the unit of the ledger. */
export const centsToNano = (cents: Cents): Nano => BigInt(cents) * NANO_PER_CENT;

/** Converts cents to EUR for people and JSON. */
export const centsToEuros = (cents: Cents): number => cents / 100;

/** Returns the state of a payment for people and events. */
export function stateOf({ state, amount, refund_booked, dispute_booked }: Payment): PaymentState {
  if (dispute_booked > 0) return "disputed";
  if (refund_booked === 0) return state;
  return refund_booked < amount ? "partially_refunded" : "refunded";
}

/** Returns what can still be refunded, with tax. */
export const refundableCents = (payment: Payment): Cents => {
  const { state, amount, tax, refunded, refund_failed, disputed, reinstated } = payment;
  return state === "paid" ? Math.max(amount + tax - refunded + refund_failed - disputed + reinstated, 0) : 0;
};

/** Returns a payment as events have it. */
export const toEventData = (payment: Payment) => ({
  id: payment.id,
  amount: centsToEuros(payment.amount),
  tax: centsToEuros(payment.tax),
  currency: payment.currency,
  state: stateOf(payment),
});

/** Returns a payment for the console. */
export const serializePayment = (payment: Payment) => ({
  ...toEventData(payment),
  kind: payment.kind,
  provider: payment.provider,
  note: payment.note,
  /** Without tax, what is taken back now. */
  reversed: centsToEuros(payment.refund_booked + payment.dispute_booked),
  refundable: centsToEuros(refundableCents(payment)),
  failure_code: payment.failure_code,
  invoice_url: payment.invoice_url,
  created_at: payment.created_at.toISOString(),
  settled_at: payment.settled_at?.toISOString() ?? null,
});
