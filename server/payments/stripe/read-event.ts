import type Stripe from "stripe";
import type { ProviderEvent } from "../provider";
import { idOf } from "./read-state";

/** What the hub asks Stripe to report. docs/payments.md lists them. */
export const eventKinds = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.voided",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "charge.dispute.closed",
  "payment_method.detached",
  "payment_method.automatically_updated",
] as const;
const kinds = new Set<string>(eventKinds);

interface Subject {
  object?: string;
  id?: string;
  payment_intent?: string | { id: string } | null;
  customer?: string | { id: string } | null;
}

/** Returns what an event is about; null for a kind that the hub does not use. */
export function toProviderEvent({ id, type, data }: Stripe.Event): ProviderEvent | null {
  if (!kinds.has(type)) return null;
  const subject = data.object as Subject;
  const previous = data.previous_attributes as Subject | undefined;
  const isPayment = subject.object === "checkout.session" || subject.object === "invoice";
  return {
    id,
    kind: type,
    ref: (isPayment && subject.id) || null,
    intent: (subject.object === "payment_intent" ? subject.id : idOf(subject.payment_intent)) ?? null,
    // A method that was detached names its customer only before the change.
    customer: idOf(subject.customer) ?? idOf(previous?.customer),
  };
}
