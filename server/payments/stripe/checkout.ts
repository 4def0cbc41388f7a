import type Stripe from "stripe";
import type { ChargeFailure, PaymentProvider, PaymentState } from "../provider";
import type { StripeConnection } from "./client";
import { idOf, NOTHING_PAID, readSums, toFailure, toSavedMethod } from "./read-state";

/** The product's name on invoices. */
export const PRODUCT = "Prepaid credit";

type Start = Parameters<PaymentProvider["startTopUp"]>[0];

/** Creates a Checkout Session for a top-up, with an invoice. */
export async function startTopUp(
  { stripe, tax, host }: StripeConnection,
  topUp: Start,
): Promise<{ url: string; ref: string }> {
  const { id, customer, returnUrl } = topUp;
  const session = await stripe.checkout.sessions.create(
    {
      mode: "payment",
      customer,
      client_reference_id: id,
      line_items: [toLineItem(topUp, tax)],
      payment_intent_data: {
        metadata: { payment: id, hub: host },
        ...(topUp.savesMethod && { setup_future_usage: "off_session" }),
      },
      invoice_creation: { enabled: true },
      tax_id_collection: { enabled: topUp.asksForVatId },
      customer_update: { name: "auto", address: "auto" },
      automatic_tax: { enabled: tax },
      ...(tax && { billing_address_collection: "required" }),
      success_url: `${returnUrl}?payment=${id}`,
      cancel_url: returnUrl,
    },
    { idempotencyKey: `top-up:${id}` },
  );
  return { url: urlOf(session), ref: session.id };
}

const toLineItem = ({ amount }: Start, tax: boolean): Stripe.Checkout.SessionCreateParams.LineItem => ({
  quantity: 1,
  price_data: {
    currency: "eur",
    unit_amount: amount,
    product_data: { name: PRODUCT },
    ...(tax && { tax_behavior: "exclusive" }),
  },
});

/** Creates a Checkout Session in which a customer saves a method. */
export async function startSetup(
  { stripe }: StripeConnection,
  { customer, returnUrl }: Parameters<PaymentProvider["startSetup"]>[0],
): Promise<string> {
  const session = await stripe.checkout.sessions.create({
    mode: "setup",
    currency: "eur",
    customer,
    success_url: `${returnUrl}?method=saved`,
    cancel_url: returnUrl,
  });
  return urlOf(session);
}

function urlOf({ url }: Stripe.Checkout.Session): string {
  if (!url) throw new Error("Stripe returned a Checkout Session without a URL");
  return url;
}

/** Returns the state of the payment of a Checkout Session. */
export async function fetchTopUp({ stripe }: StripeConnection, ref: string): Promise<PaymentState> {
  const session = await stripe.checkout.sessions.retrieve(ref, {
    expand: ["payment_intent.payment_method", "invoice"],
  });
  const intent = typeof session.payment_intent === "string" ? null : session.payment_intent;
  const amounts = amountsOf(session);
  const state = stateOf(session, intent, amounts.paid);
  const isPaid = state === "paid" && intent !== null;
  return {
    state,
    intent: intent?.id ?? null,
    ...amounts,
    ...(await readSums(stripe, isPaid ? intent.id : null)),
    failure: state === "failed" ? readFailure(intent, amounts.paid) : null,
    invoice: idOf(session.invoice),
    invoiceUrl: invoiceUrlOf(session),
    method: isPaid ? methodOf(session, intent) : null,
  };
}

// The subtotal is from before discounts.
const amountsOf = ({ currency, amount_subtotal, amount_total, total_details }: Stripe.Checkout.Session) => {
  const tax = total_details?.amount_tax ?? 0;
  return { currency: currency ?? "", amount: amount_subtotal ?? 0, paid: Math.max((amount_total ?? 0) - tax, 0), tax };
};

const readFailure = (intent: Stripe.PaymentIntent | null, paid: number): ChargeFailure =>
  paid === 0 ? NOTHING_PAID : ((intent && toFailure(intent)) ?? { code: "declined", isFinal: false });

const invoiceUrlOf = ({ invoice }: Stripe.Checkout.Session): string | null =>
  (typeof invoice === "object" && invoice?.hosted_invoice_url) || null;

// A complete session may be unpaid, with methods such as SEPA debit, whose money arrives days later.
function stateOf(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
  paid: number,
): PaymentState["state"] {
  if (session.status === "expired") return "expired";
  if (session.status !== "complete") return "open";
  if (paid === 0) return "failed";
  if (session.payment_status === "paid") return "paid";
  return intent?.status === "requires_payment_method" ? "failed" : "processing";
}

const methodOf = ({ customer }: Stripe.Checkout.Session, intent: Stripe.PaymentIntent) =>
  intent.setup_future_usage ? toSavedMethod(idOf(customer), intent.payment_method) : null;
