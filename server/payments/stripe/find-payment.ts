import type Stripe from "stripe";
import type { FoundPayment, PaymentProvider } from "../provider";
import { isRejected, type StripeConnection } from "./client";
import { idOf } from "./read-state";

type Named = Parameters<PaymentProvider["findPayment"]>[0];

/** Returns the payment whose id a hub has left in the metadata of a charge or an invoice; null without one. */
export async function findPayment({ stripe }: StripeConnection, named: Named): Promise<FoundPayment | null> {
  try {
    return await (named.ref?.startsWith("in_") ? findInvoice(stripe, named.ref) : findSession(stripe, named));
  } catch (error) {
    if (isRejected(error) && error.code === "resource_missing") return null;
    throw error;
  }
}

async function findInvoice(stripe: Stripe, ref: string): Promise<FoundPayment | null> {
  const { metadata, customer, created } = await stripe.invoices.retrieve(ref);
  return toFound({ id: metadata?.payment, kind: "automatic", ref, customer, created });
}

async function findSession(stripe: Stripe, { ref, intent }: Named): Promise<FoundPayment | null> {
  const session = ref
    ? await stripe.checkout.sessions.retrieve(ref, { expand: ["payment_intent"] })
    : intent && (await findSessionOf(stripe, intent));
  // Other products also have Checkout Sessions, and references of their own in them.
  if (!session || !session.payment_intent || typeof session.payment_intent === "string") return null;
  const { metadata } = session.payment_intent;
  return toFound({ ...session, id: metadata.payment, kind: "top_up", ref: session.id });
}

const findSessionOf = async (stripe: Stripe, intent: string): Promise<Stripe.Checkout.Session | undefined> =>
  (await stripe.checkout.sessions.list({ payment_intent: intent, limit: 1, expand: ["data.payment_intent"] })).data[0];

interface Found {
  id: string | undefined;
  kind: FoundPayment["kind"];
  ref: string;
  customer: string | { id: string } | null;
  /** Seconds since 1970. */
  created: number;
}

const toFound = ({ id, kind, ref, customer, created }: Found): FoundPayment | null =>
  id === undefined ? null : { id, kind, ref, customer: idOf(customer), createdAt: new Date(created * 1000) };
