import type Stripe from "stripe";
import type { ChargeFailure, PaymentState, SavedMethod } from "../provider";

/** Returns the id of what Stripe may send as an id or as the whole object. */
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null);

/** Why a payment that a discount made free credits nothing. */
export const NOTHING_PAID: ChargeFailure = { code: "nothing_paid", isFinal: true };

// Only the customer can resolve these; any other decline may be temporary.
const FINAL_CODES = new Set([
  "authentication_required",
  "expired_card",
  "incorrect_number",
  "invalid_account",
  "lost_card",
  "stolen_card",
  "pickup_card",
  "restricted_card",
  "card_not_supported",
  "currency_not_supported",
  "do_not_honor",
  "fraudulent",
  "merchant_blacklist",
  "new_account_information_available",
  "no_action_taken",
  "not_permitted",
  "revocation_of_all_authorizations",
  "revocation_of_authorization",
  "security_violation",
  "service_not_allowed",
  "stop_payment_order",
  "transaction_not_allowed",
  "invoice_payment_intent_requires_action",
  "payment_intent_authentication_failure",
  "payment_method_customer_decline",
  "payment_method_unactivated",
  "resource_missing",
]);

/** Returns why a charge failed, and whether charging again is of no use. */
export function toFailure({ last_payment_error: error, status }: Stripe.PaymentIntent): ChargeFailure | null {
  if (status === "requires_action") return { code: "authentication_required", isFinal: true };
  if (!error) return null;
  const codes = [error.decline_code, error.code].filter((code) => typeof code === "string");
  const code = codes.find((one) => FINAL_CODES.has(one)) ?? codes[0] ?? "declined";
  return { code, isFinal: FINAL_CODES.has(code) };
}

/** Returns the display name of a method. */
export function labelOf({ type, card, sepa_debit }: Stripe.PaymentMethod): string {
  if (card) return `${card.brand[0]?.toUpperCase()}${card.brand.slice(1)} •••• ${card.last4}`;
  if (sepa_debit) return `SEPA debit •••• ${sepa_debit.last4 ?? ""}`.trimEnd();
  return type.replaceAll("_", " ");
}

/** Returns the method of a customer's intent, if it was saved. */
export function toSavedMethod(
  customer: string | null,
  method: string | Stripe.PaymentMethod | null | undefined,
): SavedMethod | null {
  if (!customer || !method || typeof method === "string" || idOf(method.customer) !== customer) return null;
  return { customer, ref: method.id, label: labelOf(method) };
}

type Sums = Pick<PaymentState, "refunds" | "disputed" | "reinstated">;

/**
 * Returns the sums of what was taken back of a charge. An inquiry takes nothing; a dispute takes its amount when the bank
 * withdraws it, and returns it when the bank gives it back. The operator bears the fee of a dispute.
 */
function toSums(refunds: Stripe.Refund[], disputes: Stripe.Dispute[]): Sums {
  const sum = (matches: (dispute: Stripe.Dispute) => boolean) =>
    disputes.filter(matches).reduce((total, { amount }) => total + amount, 0);
  const moved = ({ balance_transactions: moves }: Stripe.Dispute, sign: number) =>
    moves.some(({ amount }) => Math.sign(amount) === sign);
  return {
    refunds: refunds.map(({ id, amount, status, metadata }) => ({
      ref: id,
      key: metadata?.refund ?? null,
      amount,
      hasFailed: status === "failed" || status === "canceled",
      hasSucceeded: status === "succeeded",
    })),
    disputed: sum((dispute) => moved(dispute, -1)),
    reinstated: sum((dispute) => moved(dispute, -1) && moved(dispute, 1)),
  };
}

const PAGE = 100;
/** More than a charge ever has, so that every list ends. */
const MAX_LISTED = 10_000;

/** Returns all objects of a list, page by page. */
export const listAll = <T>(list: (page: { limit: number }) => Stripe.ApiListPromise<T>): Promise<T[]> =>
  list({ limit: PAGE }).autoPagingToArray({ limit: MAX_LISTED });

/** Fetches what was taken back of a charge; nothing without one. */
export async function readSums(stripe: Stripe, intent: string | null): Promise<Sums> {
  if (!intent) return toSums([], []);
  const [refunds, disputes] = await Promise.all([
    listAll((page) => stripe.refunds.list({ payment_intent: intent, ...page })),
    listAll((page) => stripe.disputes.list({ payment_intent: intent, ...page })),
  ]);
  return toSums(refunds, disputes);
}
