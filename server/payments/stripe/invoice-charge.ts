import type Stripe from "stripe";
import type { PaymentProvider, PaymentRef, PaymentState } from "../provider";
import { PRODUCT } from "./checkout";
import { isRejected, type StripeConnection } from "./client";
import { NOTHING_PAID, readSums, toFailure } from "./read-state";

/**
 * Prepares an invoice for a charge of a saved method. An invoice is paid at most once, however often that is requested; if
 * a response is lost, a draft remains, which takes no money.
 */
export async function prepareCharge(
  { stripe, tax, host }: StripeConnection,
  { id, customer, method, amount }: Parameters<PaymentProvider["prepareCharge"]>[0],
): Promise<string> {
  const invoice = await stripe.invoices.create(
    {
      customer,
      currency: "eur",
      auto_advance: false,
      collection_method: "charge_automatically",
      default_payment_method: method,
      pending_invoice_items_behavior: "exclude",
      automatic_tax: { enabled: tax },
      metadata: { payment: id, hub: host },
    },
    { idempotencyKey: `charge:${id}` },
  );
  await stripe.invoiceItems.create(
    {
      customer,
      invoice: invoice.id,
      amount,
      currency: "eur",
      description: PRODUCT,
      ...(tax && { tax_behavior: "exclusive" }),
    },
    { idempotencyKey: `charge-item:${id}` },
  );
  await stripe.invoices.finalizeInvoice(invoice.id, { auto_advance: false }, { idempotencyKey: `charge-final:${id}` });
  return invoice.id;
}

/** Pays a prepared invoice. It is sent once: if the response is lost, the outcome is looked up. */
export async function sendCharge({ stripe }: StripeConnection, { id, ref }: PaymentRef): Promise<void> {
  await stripe.invoices.pay(ref, { off_session: true }, { idempotencyKey: `charge-pay:${id}` });
}

/** Voids an invoice, so that nobody pays it any more. */
export async function cancelCharge({ stripe }: StripeConnection, { ref }: PaymentRef): Promise<void> {
  await stripe.invoices.voidInvoice(ref).catch((error: unknown) => {
    // It was paid or voided meanwhile, as its state shows.
    if (!isRejected(error)) throw error;
  });
}

/** Returns the state of the payment of an invoice. */
export async function fetchCharge({ stripe }: StripeConnection, ref: string): Promise<PaymentState> {
  const invoice = await stripe.invoices.retrieve(ref, { expand: ["payments.data.payment.payment_intent"] });
  const intent = findIntent(invoice);
  const tax = (invoice.total_taxes ?? []).reduce((total, { amount }) => total + amount, 0);
  // A discount lowers the total, and a credit note at Stripe what is paid of it.
  const paid = Math.max(Math.min(invoice.total, invoice.amount_paid) - tax, 0);
  const state = stateOf(invoice, intent, paid);
  const failure = invoice.status === "paid" && paid === 0 ? NOTHING_PAID : intent && toFailure(intent);
  return {
    state,
    intent: intent?.id ?? null,
    currency: invoice.currency,
    amount: invoice.subtotal,
    paid,
    tax,
    ...(await readSums(stripe, state === "paid" && intent ? intent.id : null)),
    failure: failure ?? (state === "failed" ? { code: "canceled", isFinal: false } : null),
    invoice: invoice.id,
    invoiceUrl: invoice.hosted_invoice_url ?? null,
    method: null,
  };
}

function findIntent({ payments }: Stripe.Invoice): Stripe.PaymentIntent | null {
  const intents = (payments?.data ?? []).flatMap(({ payment: { payment_intent: intent } }) =>
    intent && typeof intent !== "string" ? intent : [],
  );
  return intents.find(({ status }) => status === "succeeded") ?? intents.at(-1) ?? null;
}

function stateOf({ status }: Stripe.Invoice, intent: Stripe.PaymentIntent | null, paid: number): PaymentState["state"] {
  if (status === "paid") return paid === 0 ? "failed" : "paid";
  if (status === "void" || status === "uncollectible") return "failed";
  return intent?.status === "processing" ? "processing" : "open";
}
