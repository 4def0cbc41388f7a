import type { Env } from "../env";
import type { SafeFetch } from "../lib/safe-fetch";
import type { PaymentProvider } from "./provider";
import { reportUnavailable } from "./report-unavailable";

/** The providers of payments by their names. Payments of `manual` are recorded by an operator and have none. */
export type PaymentProviders = { stripe?: PaymentProvider };

/** Returns the providers that the settings name. */
export async function openPaymentProviders(env: Env, fetch: SafeFetch): Promise<PaymentProviders> {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: base } = env;
  // Without a secret anybody could sign a webhook.
  if (!key || !webhookSecret) return {};
  // Stripe's library has hundreds of files.
  const { createStripeProvider } = await import("./stripe/stripe-provider");
  const settings = { key, webhookSecret, base, tax: env.STRIPE_TAX === "on", fetch };
  return { stripe: reportUnavailable(createStripeProvider(settings)) };
}
