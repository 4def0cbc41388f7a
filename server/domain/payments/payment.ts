import { int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf } from "../../db/statement";
import { type Nano, NANO_PER_CENT, parseDecimal } from "../../lib/money";
import type { Cents } from "../../payments/provider";
import { invalidInput } from "../../errors";

export const paymentKinds = ["top_up", "automatic", "manual"] as const;
export type PaymentKind = (typeof paymentKinds)[number];

export const paymentStates = ["pending", "paid", "failed", "expired"] as const;
export type StoredState = (typeof paymentStates)[number];

/** The state of a payment as people and events see it: for a paid one, it says whether the money was refunded or disputed. */
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

/** Returns the amount that can still be refunded, with tax. */
export const refundableCents = ({
  state,
  amount,
  tax,
  refunded,
  refund_failed,
  disputed,
  reinstated,
}: Payment): Cents =>
  state === "paid" ? Math.max(amount + tax - refunded + refund_failed - disputed + reinstated, 0) : 0;

/** Returns the data of a payment's events. */
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
  /** Taken back by refunds and disputes, without tax. */
  reversed: centsToEuros(payment.refund_booked + payment.dispute_booked),
  refundable: centsToEuros(refundableCents(payment)),
  failure_code: payment.failure_code,
  invoice_url: payment.invoice_url,
  created_at: payment.created_at.toISOString(),
  settled_at: payment.settled_at?.toISOString() ?? null,
});

const MAX_CENTS = 100_000_000n;

/** Converts a requested amount to cents. Throws 400 for fractions of a cent, and outside of 0 to 1,000,000 EUR. */
export function nanoToCents(field: string, nano: Nano): Cents {
  if (nano % NANO_PER_CENT !== 0n) throw invalidInput(field, "must have at most two decimal places");
  const cents = nano / NANO_PER_CENT;
  if (cents < 0n || cents > MAX_CENTS) throw invalidInput(field, "must be from 0 to 1000000 EUR");
  return Number(cents);
}

/** Converts an amount in EUR as a person enters it to cents. Throws 400 if it is not one, and as `nanoToCents` does. */
export function eurosToCents(field: string, entered: string): Cents {
  let nano: Nano;
  try {
    nano = parseDecimal(entered.trim());
  } catch {
    throw invalidInput(field, "must be an amount in EUR, such as 12.50");
  }
  return nanoToCents(field, nano);
}
