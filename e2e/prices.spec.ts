import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expectUsable, signInTo } from "./console";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";
import { startHub } from "./server";

test.setTimeout(120_000);

const BOOKS = `
books:
  - { id: partners, multipliers: [{ models: sandbox-image, multiplier: 1.333333 }] }
  - { id: fixed, fixed: [{ model: sandbox-image, pricing_tiers: [{ match: {}, price_usd: 0.007 }] }] }
  - id: volume
    multipliers: [{ models: sandbox-image, multiplier: 2 }]
    volume_discounts: [{ from: 0.001, discount: 0.1 }]
`;
const explanations = [
  "0.01333333 USD per generation, 0.92 EUR per USD; book partners, revision 1",
  "0.007 USD per generation, 0.92 EUR per USD; book fixed, revision 1; fixed price",
  "0.018 USD per generation, 0.92 EUR per USD; book volume, revision 1; 10 % volume discount",
];

test("three books in one day are three explained prices, and the price list has VAT where a hub says so", async ({
  page,
  request,
  consoleErrors,
}) => {
  // The payment page of Stripe is not opened.
  const payments = { STRIPE_SECRET_KEY: "sk_test_journey", STRIPE_WEBHOOK_SECRET: "whsec_journey", STRIPE_TAX: "on" };
  const hub = await startHub({ env: { ...payments, PRICES_WITH_VAT: "19" } });
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-books-"));
  const file = path.join(folder, "books.yaml");
  await writeFile(file, BOOKS);
  expect(await hub.cli("book", "apply", file)).toMatchObject({ code: 0 });
  const assign = (book: string | null) =>
    queryHub(hub.dataDir, "UPDATE account SET book = $2 WHERE email = $1", [hub.demo.email, book]);

  const headers = { Authorization: `Bearer ${hub.key}` };
  const data = { model: "sandbox-image", input: { prompt: "a pier" } };
  for (const book of ["partners", "fixed", "volume"]) {
    await assign(book);
    const created = await request.post(`${hub.url}/api/v1/hub/generations`, { headers, data });
    expect(created.status()).toBe(202);
    const { id } = (await created.json()) as { id: string };
    const status = async () => {
      const response = await request.get(`${hub.url}/api/v1/hub/generations/${id}`, { headers });
      return ((await response.json()) as { status: string }).status;
    };
    await expect.poll(status, { timeout: 30_000 }).toBe("succeeded");
  }

  await signInTo(page, hub, "/balance");
  await expect(page.getByText("Credit and charges exclude VAT, which you pay when you top up.")).toBeVisible();
  const statement = page.getByRole("region", { name: "Statement" });
  for (const [index, explanation] of explanations.entries()) {
    const row = statement.getByRole("row", { name: explanation });
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(["-€0.012266664", "-€0.006440000", "-€0.016560000"][index]!);
  }
  const topUp = page.getByRole("region", { name: "Top up", exact: true });
  await expect(topUp).toContainText("With 19% VAT you pay €29.75.");
  await topUp.getByLabel("Amount in EUR").fill("12,50");
  await expect(topUp).toContainText("With 19% VAT you pay €14.88.");
  await expectUsable(page);

  await assign(null);
  await page.goto(`${hub.url}/models/sandbox-image`);
  const price = page.getByRole("region", { name: "Price", exact: true });
  await expect(price).toContainText("Prices include 19% VAT. Credit is charged without it.");
  // 0.01 USD are 0.0092 EUR.
  await expect(price).toContainText("€0.0109");
  await expect(page.getByTitle("€0.010948").first()).toBeVisible();
  await page.goto(`${hub.url}/models`);
  await expect(page.getByText("Prices include 19% VAT.")).toBeVisible();
  expect(consoleErrors).toEqual([]);
  await hub.stop();
  await rm(folder, { recursive: true });
});
