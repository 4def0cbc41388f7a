import { reservePort } from "../reserve-port";
import { execFileSync, spawn } from "node:child_process";
import { afterAll, expect, test } from "vitest";
import type { PaymentProvider } from "../../server/payments/provider";
import { openStripe } from "../../server/payments/stripe/client";
import { createStripeProvider } from "../../server/payments/stripe/stripe-provider";
import { createSafeFetch } from "../../server/lib/safe-fetch";

/** Returns the path of stripe-mock: `STRIPE_MOCK_BIN`, or one that is installed; null without it. */
function findMock(): string | null {
  const named = process.env.STRIPE_MOCK_BIN;
  if (named) return named;
  try {
    return execFileSync("which", ["stripe-mock"], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

const bin = findMock();
if (!bin)
  process.stdout.write(
    `${"stripe-mock is missing, so no request is checked against Stripe's own description (docs/payments.md)"}\n`,
  );

async function openMock(): Promise<string> {
  const port = await reservePort();
  const child = spawn(bin!, ["-http-addr", `127.0.0.1:${port}`], { stdio: "ignore" });
  afterAll(() => void child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  return url;
}

test.skipIf(!bin)("Stripe's description accepts every request that the hub makes", async () => {
  const base = await openMock();
  const safeFetch = createSafeFetch({ allowHosts: [new URL(base).host] });
  const key = "sk_test_123";
  await expect(
    openStripe(key, base, safeFetch).customers.create({ email: 1 as unknown as string, x: 1 } as never),
  ).rejects.toThrow();
  for (const tax of [false, true]) {
    const provider = createStripeProvider({
      key,
      webhookSecret: "whsec_x",
      base,
      tax,
      host: "hub.example",
      fetch: safeFetch,
    });
    for (const call of callsOf(provider)) await call;
  }
});

/** Every call of the interface, with values as the hub gives them. */
const callsOf = (provider: PaymentProvider): Promise<unknown>[] => {
  const id = "01939f1e-0000-7000-8000-000000000001";
  const [customer, method, returnUrl] = ["cus_123", "pm_123", "https://hub.example/balance"];
  return [
    provider.createCustomer({ account: 1, email: "anna@example.org", version: 0, former: null }),
    provider.startTopUp({ id, customer, amount: 2_500, savesMethod: true, asksForVatId: true, returnUrl }),
    provider.startTopUp({ id, customer, amount: 2_500, savesMethod: false, asksForVatId: false, returnUrl }),
    provider.setTaxDetails(customer, { country: "FR", vatId: "FRAB123456789", isReverseCharge: true }),
    provider.setTaxDetails(customer, null),
    provider.issueCreditNotes("in_123", [
      { ref: "re_other", key: null, amount: 100, hasFailed: false, hasSucceeded: true },
    ]),
    provider.startSetup({ customer, returnUrl }),
    provider.openPortal(customer, returnUrl),
    provider.prepareCharge({ id, customer, method, amount: 2_500 }),
    provider.sendCharge({ id, kind: "automatic", ref: "in_123" }),
    provider.cancelCharge({ id, kind: "automatic", ref: "in_123" }),
    provider.fetchPayment({ id, kind: "top_up", ref: "cs_123" }),
    provider.fetchPayment({ id, kind: "automatic", ref: "in_123" }),
    provider.findPayment({ ref: "cs_123", intent: "pi_123" }),
    provider.findPayment({ ref: "in_123", intent: null }),
    provider.findPayment({ ref: null, intent: "pi_123" }),
    provider.fetchMethod(customer),
    provider.refund({ key: id, intent: "pi_123", amount: 100 }),
    provider.listEvents(new Date())[Symbol.asyncIterator]().next(),
  ];
};
