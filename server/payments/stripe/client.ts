import Stripe from "stripe";
import type { SafeFetch } from "../../lib/safe-fetch";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Returns Stripe's client on the hub's own client for outgoing requests. `base` replaces Stripe's address in tests. */
export function openStripe(key: string, base: string, fetch: SafeFetch): Stripe {
  const { hostname, port, protocol } = new URL(base);
  return new Stripe(key, {
    httpClient: Stripe.createFetchHttpClient(toFetch(fetch)),
    host: hostname,
    port: port || (protocol === "https:" ? 443 : 80),
    protocol: protocol === "https:" ? "https" : "http",
    timeout: TIMEOUT_MS,
    // Jobs retry, and people click again.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

const toFetch =
  (send: SafeFetch): typeof globalThis.fetch =>
  async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const response = await send(url, {
      method: init?.method as "GET" | "POST",
      headers,
      body: typeof init?.body === "string" && init.body !== "" ? init.body : undefined,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal: init?.signal ?? undefined,
    });
    return new Response(new Uint8Array(response.body), { status: response.status, headers: response.headers });
  };

/** What the functions for Stripe's objects need. */
export interface StripeConnection {
  stripe: Stripe;
  /** Whether Stripe computes the tax. */
  tax: boolean;
  /** The host of the hub's address, which tells its payments from those of other hubs with the same Stripe account. */
  host: string;
}

/** Returns whether Stripe has definitely not carried out a request. */
export const isRejected = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError;
