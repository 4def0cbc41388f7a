import type { Page } from "@playwright/test";
import Stripe from "stripe";
import { openStripeDouble, type StripeDouble } from "../test/payments/stripe-double";
import { giveSecondFactor } from "./authenticator";
import { expectUsable, signInTo, signUp } from "./console";
import { grantRole } from "./grants";
import { expect, test } from "./journey";
import { type RunningHub, startHub } from "./server";

const WEBHOOK_SECRET = "whsec_journey";
let double: StripeDouble;
let paying: RunningHub;

test.beforeAll(async () => {
  double = await openStripeDouble();
  const settings = {
    STRIPE_SECRET_KEY: "sk_test_journey",
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: double.url,
    STRIPE_TAX: "on",
    PRICES_WITH_VAT: "19",
  };
  paying = await startHub({ env: settings });
});

test.afterAll(async () => {
  await paying.stop();
  await double.close();
});

/** Sends the double's events since `index` to the hub, signed as Stripe does. */
async function deliver(page: Page, index: number) {
  const { webhooks } = new Stripe("sk_test_journey");
  for (const event of double.events.slice(index)) {
    const payload = JSON.stringify(event);
    const headers = {
      "content-type": "application/json",
      "stripe-signature": webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET }),
    };
    const sent = await page.request.post(`${paying.url}/api/callbacks/payments/stripe`, { data: payload, headers });
    expect(sent.status()).toBe(200);
  }
}

/** Stores pictures of the page below the folder `SCREENSHOTS`, if it is set, for people to look at. */
async function takeScreenshots(page: Page, name: string) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

const region = (page: Page, name: string) => page.getByRole("region", { name });

test("a customer tops up, sets an automatic top-up, and sees a chargeback", async ({ page, consoleErrors }) => {
  await signUp(page, paying.url, "/overview");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("new generations are rejected. Top up to continue.");
  await expect(page.getByRole("region", { name: "First steps" })).toContainText("Needs credit. Top up to continue.");
  await attention.getByRole("link", { name: "Top up" }).click();
  await expect(page.getByRole("region", { name: "Top up", exact: true })).toBeVisible();
  await page.goto("about:blank");
  await signInTo(page, paying, "/balance");

  await test.step("tops up on the payment page and returns", async () => {
    const topUp = region(page, "Top up");
    await expect(page.getByText("Credit and charges exclude VAT, which you pay when you top up.")).toBeVisible();
    await expect(topUp).toContainText("With 19% VAT you pay €29.75.");
    await topUp.getByLabel("Amount in EUR").fill("12,50");
    await expect(topUp).toContainText("With 19% VAT you pay €14.88.");
    await topUp.getByLabel("Amount in EUR").fill("2");
    await topUp.getByRole("button", { name: "Continue to payment" }).click();
    await expect(topUp.getByText("must be from 5 to 10000 EUR")).toBeVisible();
    await topUp.getByLabel("Amount in EUR").fill("30");
    await topUp.getByRole("button", { name: "Continue to payment" }).click();
    await expect(page.getByRole("heading", { name: "Pay 35.70 EUR" })).toBeVisible();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    const payments = region(page, "Payments");
    await expect(payments.getByRole("row", { name: /Paid.*Top-up.*Invoice/ })).toContainText("€30.00");
    await expect(region(page, "Statement").getByRole("row", { name: /Credit Top-up/ })).toContainText("+€30.00");
  });

  await test.step("saves a card and turns the automatic top-up on", async () => {
    const automatic = region(page, "Automatic top-up");
    await expect(automatic.getByText("Off")).toBeVisible();
    await automatic.getByRole("button", { name: "Add payment method" }).click();
    await page.getByLabel("Card").selectOption("4242");
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(automatic.getByText("Visa •••• 4242")).toBeVisible();
    await automatic.getByLabel("Top up to (€)").fill("6");
    await automatic.getByRole("button", { name: "Turn on" }).click();
    await expect(automatic.getByText(/must be at least 5 EUR above the threshold/)).toBeVisible();
    await automatic.getByLabel("Top up to (€)").fill("20");
    await automatic.getByRole("button", { name: "Turn on" }).click();
    await expect(automatic.getByText("On", { exact: true })).toBeVisible();
    await expectUsable(page);
  });

  await test.step("sees the chargeback that a webhook reports", async () => {
    const before = double.events.length;
    double.dispute([...double.intents.keys()].at(-1)!, 3_570);
    await deliver(page, before);
    await expect(region(page, "Payments").getByText("Disputed")).toBeVisible({ timeout: 15_000 });
    await expect(region(page, "Automatic top-up").getByText("Paused", { exact: true })).toBeVisible();
    await page.getByLabel("Kind").selectOption("Chargeback");
    await expect(
      region(page, "Statement")
        .getByRole("row", { name: /Chargeback/ })
        .last(),
    ).toContainText("30.00");
  });

  await test.step("looks right in both themes, wide and narrow", async () => {
    await page.getByLabel("Kind").selectOption("Any");
    await expectUsable(page);
    await takeScreenshots(page, "balance");
  });

  await test.step("opens the provider's portal", async () => {
    await page.getByRole("button", { name: "Invoices and payment methods" }).click();
    await expect(page.getByRole("heading", { name: "Customer portal" })).toBeVisible();
  });
  // The browser logs the two amounts that were rejected.
  expect(consoleErrors.every((message) => message.includes("400"))).toBe(true);
  consoleErrors.length = 0;
});

test("the price list has VAT where a hub says so", async ({ page }) => {
  await signInTo(page, paying, "/models");
  await expect(page.getByText("Prices include 19% VAT.")).toBeVisible();
  await page.goto(`${paying.url}/models/sandbox-image`);
  const price = page.getByRole("region", { name: "Price", exact: true });
  await expect(price).toContainText("Prices include 19% VAT. Credit is charged without it.");
  // 0.01 USD are 0.0092 EUR.
  await expect(price).toContainText("€0.0109");
  await expect(page.getByTitle("€0.010948").first()).toBeVisible();
});

test("an operator records a bank transfer, refunds a part of it and finds it again", async ({
  page,
  consoleErrors,
}) => {
  await grantRole(paying, paying.demo.email, "operator");
  await signInTo(page, paying);
  await giveSecondFactor(paying, paying.demo.email);
  await page.goto(`${paying.url}/admin/payments`);
  await page.getByRole("button", { name: "Record payment" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Account").fill(paying.demo.email);
  await dialog.getByLabel("Credit (EUR)").fill("100");
  await dialog.getByLabel("Tax (EUR, optional)").fill("19");
  await dialog.getByLabel("Reference").fill("invoice 2026-117");
  await dialog.getByLabel("Note on the statement (optional)").fill("Bank transfer");
  await dialog.getByLabel("Reason").fill("Statement of 23 November");
  await dialog.getByRole("button", { name: "Record and credit" }).click();
  await expect(page.getByText("Recorded and credited.", { exact: true })).toBeVisible();
  await expectUsable(page);
  await page
    .getByRole("row", { name: /Bank transfer/ })
    .getByRole("link", { name: "Payment of €100.00" })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Bank transfer");
  await page.getByRole("button", { name: "Refund" }).click();
  await dialog.getByLabel("Amount with tax (EUR)").fill("500");
  await dialog.getByLabel("Reason").fill("Paid twice");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(dialog.getByText(/at most 119 EUR/)).toBeVisible();
  await dialog.getByLabel("Amount with tax (EUR)").fill("59.50");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(page.getByText("Refund recorded.", { exact: true })).toBeVisible();
  await expect(region(page, "Amounts")).toContainText("€59.50");
  await expect(region(page, "Refunds").getByRole("row", { name: /Refunded.*Paid twice/ })).toContainText("€59.50");
  await expectUsable(page);
  await takeScreenshots(page, "payment");
  await page.goto(`${paying.url}/admin/payments`);
  await page.getByLabel("Show").selectOption("Refunded");
  await expect(page).toHaveURL(/filter=refunded/);
  await expect(page.getByRole("row", { name: /Partially refunded/ })).toBeVisible();
  await takeScreenshots(page, "payments");
  expect((await paying.cli("audit")).code).toBe(0);
  // The browser logs the amount that was rejected.
  expect(consoleErrors.every((message) => message.includes("400"))).toBe(true);
  consoleErrors.length = 0;
});

test("a hub without a provider shows no way to pay", async ({ page, hub }) => {
  await signInTo(page, hub, "/balance");
  await expect(page.getByRole("heading", { name: "Statement" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Continue to payment" })).toHaveCount(0);
});
