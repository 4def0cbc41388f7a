import type { Env } from "../env";
import { createServerFetch } from "../lib/safe-fetch";
import {
  isPaymentRejected,
  isPaymentUnavailable,
  type PaymentProvider,
  PaymentUnavailable,
  type ProviderEvent,
} from "./provider";

/** The providers of payments by their names. Payments of `manual` are recorded by an operator and have none. */
export type PaymentProviders = { stripe?: PaymentProvider };

/** Returns the providers that the settings name. */
export async function openPaymentProviders(env: Env): Promise<PaymentProviders> {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: base } = env;
  // Without a secret anybody could sign a webhook.
  if (!key || !webhookSecret) return {};
  // Stripe's library has hundreds of files.
  const { createStripeProvider } = await import("./stripe/stripe-provider");
  const { host } = new URL(env.BASE_URL);
  const settings = { key, webhookSecret, base, host, tax: env.STRIPE_TAX === "on", fetch: createServerFetch(base) };
  return { stripe: reportUnavailable(createStripeProvider(settings)) };
}

/** Wraps a provider: every error of a call becomes a PaymentUnavailable, except for definite rejections. */
const reportUnavailable = (provider: PaymentProvider): PaymentProvider => ({
  createCustomer: wrap((...values) => provider.createCustomer(...values)),
  setTaxDetails: wrap((...values) => provider.setTaxDetails(...values)),
  startTopUp: wrap((...values) => provider.startTopUp(...values)),
  startSetup: wrap((...values) => provider.startSetup(...values)),
  openPortal: wrap((...values) => provider.openPortal(...values)),
  prepareCharge: wrap((...values) => provider.prepareCharge(...values)),
  sendCharge: wrap((...values) => provider.sendCharge(...values)),
  cancelCharge: wrap((...values) => provider.cancelCharge(...values)),
  fetchPayment: wrap((...values) => provider.fetchPayment(...values)),
  findPayment: wrap((...values) => provider.findPayment(...values)),
  fetchMethod: wrap((...values) => provider.fetchMethod(...values)),
  refund: wrap((...values) => provider.refund(...values)),
  issueCreditNotes: wrap((...values) => provider.issueCreditNotes(...values)),
  readEvent: (...values) => provider.readEvent(...values),
  listEvents: (since) => listEvents(provider, since),
});

const wrap =
  <I extends unknown[], T>(call: (...values: I) => Promise<T>) =>
  async (...values: I): Promise<T> => {
    try {
      return await call(...values);
    } catch (error) {
      throw isPaymentRejected(error) || isPaymentUnavailable(error) ? error : toUnavailable(error);
    }
  };

async function* listEvents(provider: PaymentProvider, since: Date): AsyncGenerator<ProviderEvent> {
  try {
    yield* provider.listEvents(since);
  } catch (error) {
    throw toUnavailable(error);
  }
}

const toUnavailable = (cause: unknown) =>
  new PaymentUnavailable(`The payment provider failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });
