import type Stripe from "stripe";
import type { SafeFetch } from "../../lib/safe-fetch";
import {
  BadSignature,
  CustomerMissing,
  isMalformedEvent,
  type PaymentProvider,
  PaymentRejected,
  type ProviderEvent,
} from "../provider";
import { fetchTopUp, startSetup, startTopUp } from "./checkout";
import { isRejected, openStripe, type StripeConnection } from "./client";
import { issueCreditNotes } from "./credit-notes";
import { findPayment } from "./find-payment";
import { cancelCharge, fetchCharge, prepareCharge, sendCharge } from "./invoice-charge";
import { eventKinds, toProviderEvent } from "./read-event";
import { labelOf } from "./read-state";
import { setTaxDetails } from "./tax-details";

interface Settings extends Omit<StripeConnection, "stripe"> {
  key: string;
  webhookSecret: string;
  base: string;
  fetch: SafeFetch;
}

const MAX_LISTED = 100;

/** Returns the provider that takes payments by Stripe: Checkout for top-ups, invoices for automatic ones. */
export function createStripeProvider({ key, webhookSecret, base, tax, host, fetch }: Settings): PaymentProvider {
  const stripe = openStripe(key, base, fetch);
  const connection = { stripe, tax, host };
  return {
    async createCustomer({ account, email, version, former }) {
      const idempotencyKey = ["customer", account, email, version, former].filter((part) => part !== null).join(":");
      return (await stripe.customers.create({ email, metadata: { account } }, { idempotencyKey })).id;
    },
    setTaxDetails: toMissing((...values) => setTaxDetails(connection, ...values)),
    startTopUp: (topUp) => startTopUp(connection, topUp),
    startSetup: toMissing((setup) => startSetup(connection, setup)),
    openPortal: async (customer, returnUrl) =>
      (await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })).url,
    prepareCharge: toRejections((charge) => prepareCharge(connection, charge)),
    sendCharge: (charge) => sendCharge(connection, charge),
    cancelCharge: (charge) => cancelCharge(connection, charge),
    fetchPayment: ({ kind, ref }) => (kind === "top_up" ? fetchTopUp(connection, ref) : fetchCharge(connection, ref)),
    findPayment: (event) => findPayment(connection, event),
    async fetchMethod(customer) {
      const { data } = await stripe.customers.listPaymentMethods(customer, { limit: 1 });
      return data[0] ? { customer, ref: data[0].id, label: labelOf(data[0]) } : null;
    },
    refund: toRejections(async ({ key: refund, intent, amount }) => {
      const idempotencyKey = `refund:${refund}`;
      await stripe.refunds.create({ payment_intent: intent, amount, metadata: { refund } }, { idempotencyKey });
    }),
    issueCreditNotes: (...values) => issueCreditNotes(connection, ...values),
    readEvent: (body, headers) => toProviderEvent(verify(stripe, webhookSecret, body, headers)),
    listEvents: (since) => listEvents(stripe, since),
  };
}

function verify(stripe: Stripe, secret: string, body: Buffer, headers: Headers): unknown {
  try {
    return stripe.webhooks.constructEvent(body, headers.get("stripe-signature") ?? "", secret);
  } catch {
    throw new BadSignature("The signature does not match.");
  }
}

async function* listEvents(stripe: Stripe, since: Date): AsyncGenerator<ProviderEvent> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  for await (const event of stripe.events.list({ created, types: [...eventKinds], limit: MAX_LISTED })) {
    const found = readListed(event);
    if (found) yield found;
  }
}

/** Returns a listed event; null also for an unknown shape, so that the others are still read. */
function readListed(event: Stripe.Event): ProviderEvent | null {
  try {
    return toProviderEvent(event);
  } catch (error) {
    if (isMalformedEvent(error)) return null;
    throw error;
  }
}

/** Wraps a function whose requests refer only to a customer: if Stripe does not have it, throws CustomerMissing. */
const toMissing =
  <I extends unknown[], T>(work: (...values: I) => Promise<T>) =>
  (...values: I): Promise<T> =>
    work(...values).catch((error: unknown) => {
      throw isRejected(error) && error.code === "resource_missing" ? new CustomerMissing(error.message) : error;
    });

/** Wraps a function: definite rejections by Stripe become PaymentRejected. */
const toRejections =
  <I, T>(work: (input: I) => Promise<T>) =>
  (input: I): Promise<T> =>
    work(input).catch((error: unknown) => {
      throw isRejected(error) ? new PaymentRejected(error.message) : error;
    });
