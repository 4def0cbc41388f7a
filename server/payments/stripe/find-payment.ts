import type Stripe from "stripe";
import type { FoundPayment, PaymentProvider } from "../provider";
import { isRejected, type StripeConnection } from "./client";
import { idOf } from "./read-state";

type Named = Parameters<PaymentProvider["findPayment"]>[0];

/** Returns the payment whose id this hub has left in the metadata of a charge or an invoice; null without one. */
export async function findPayment(connection: StripeConnection, named: Named): Promise<FoundPayment | null> {
  try {
    const { stripe, host } = connection;
    const found = await (named.ref?.startsWith("in_") ? findInvoice(stripe, named.ref) : findSession(stripe, named));
    return found && toFound(found, host);
  } catch (error) {
    if (isRejected(error) && error.code === "resource_missing") return null;
    throw error;
  }
}

async function findInvoice(stripe: Stripe, ref: string): Promise<Found> {
  const { metadata, customer, created } = await stripe.invoices.retrieve(ref);
  return { metadata, kind: "automatic", ref, customer, created };
}

async function findSession(stripe: Stripe, { ref, intent }: Named): Promise<Found | null> {
  const session = ref
    ? await stripe.checkout.sessions.retrieve(ref, { expand: ["payment_intent"] })
    : intent && (await findSessionOf(stripe, intent));
  // Other products also have Checkout Sessions, and references of their own in them.
  if (!session || !session.payment_intent || typeof session.payment_intent === "string") return null;
  const { customer, created, payment_intent } = session;
  return { metadata: payment_intent.metadata, kind: "top_up", ref: session.id, customer, created };
}

const findSessionOf = async (stripe: Stripe, intent: string): Promise<Stripe.Checkout.Session | undefined> =>
  (await stripe.checkout.sessions.list({ payment_intent: intent, limit: 1, expand: ["data.payment_intent"] })).data[0];

interface Found {
  metadata: Stripe.Metadata | null;
  kind: FoundPayment["kind"];
  ref: string;
  customer: string | { id: string } | null;
  /** Seconds since 1970. */
  created: number;
}

function toFound({ metadata, kind, ref, customer, created }: Found, host: string): FoundPayment | null {
  const { payment: id, hub } = metadata ?? {};
  // Payments of earlier versions name no hub.
  if (id === undefined || (hub !== undefined && hub !== host)) return null;
  return { id, kind, ref, customer: idOf(customer), createdAt: new Date(created * 1000), isNamed: hub === host };
}
