import type { Page } from "@playwright/test";
import { expectHydrated, signInTo } from "./console";
import { expect, test } from "./journey";

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Creates a generation of the demo account and returns its id. */
async function generate(hub: { url: string; key: string }, page: Page, prompt: string): Promise<string> {
  const reply = await page.request.post(`${hub.url}/api/v1/hub/generations`, {
    headers: { Authorization: `Bearer ${hub.key}` },
    data: { model: "sandbox-image", input: { prompt } },
  });
  expect(reply.status()).toBe(202);
  return ((await reply.json()) as { id: string }).id;
}

async function generateAndWait(hub: { url: string; key: string }, page: Page, prompt: string): Promise<string> {
  const id = await generate(hub, page, prompt);
  const headers = { Authorization: `Bearer ${hub.key}` };
  const read = async () =>
    (
      (await (await page.request.get(`${hub.url}/api/v1/hub/generations/${id}`, { headers })).json()) as {
        status: string;
      }
    ).status;
  await expect.poll(read, { timeout: 20_000 }).toBe("succeeded");
  return id;
}

test.describe("in a German browser", () => {
  test.use({ locale: "de-DE", timezoneId: "Europe/Berlin" });

  test("amounts and times are German, from the server on, and a choice in Settings overrides them", async ({
    page,
    hub,
  }) => {
    await generateAndWait(hub, page, "a ledger in an old office");
    await signInTo(page, hub, "/balance");
    const statement = page.getByRole("region", { name: "Statement" });
    const row = statement.getByRole("row", { name: /a ledger in an old office/ });
    const time = row.locator("time").last();
    const at = (await time.getAttribute("datetime"))!;
    const format = (locale: string, timeZone: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone }).format(new Date(at));
    await expect(time).toHaveText(format("de-DE", "Europe/Berlin"));
    await expect(time).toHaveAttribute("title", /UTC$/);
    await expect(row).toContainText(/-0,0092\d*\s€/);
    await expect(row).toContainText("sandbox-image · Key “demo”");
    await expect(statement).toContainText("Times in Europe/Berlin.");
    const html = await (await page.request.get(`${hub.url}/balance`)).text();
    expect(html).toContain(format("de-DE", "Europe/Berlin"));

    await page.goto(`${hub.url}/settings`);
    await expectHydrated(page);
    await page.getByLabel("Number and date formats").selectOption("en-GB");
    await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await expect(page.getByText(/^Example: €1,234.50/)).toBeVisible();
    await page.goto(`${hub.url}/balance`);
    await expect(time).toHaveText(format("en-GB", "Asia/Tokyo"));
    await expect(row).toContainText(/-€0.0092/);
    await expect(statement).toContainText("Times in Asia/Tokyo.");
  });
});

test("the amounts of the statement have the same number of decimal places", async ({ page, hub, request }) => {
  const headers = { Authorization: `Bearer ${hub.key}` };
  const data = { model: "sandbox-text", messages: [{ role: "user", content: "hello ledger" }] };
  expect((await request.post(`${hub.url}/api/v1/hub/chat/completions`, { headers, data })).status()).toBe(200);
  await generateAndWait(hub, page, "a column of figures");
  await signInTo(page, hub, "/balance");
  const cells = page.getByRole("table", { name: "Transactions" }).locator("tbody tr td:nth-last-child(-n+2)");
  await expect(page.getByRole("row", { name: /hello ledger/ }).first()).toContainText("sandbox-text");
  const decimals = (await cells.allTextContents()).map((text) => text.replace(/^.*\./, "").length);
  expect(decimals.length).toBeGreaterThan(3);
  expect(new Set(decimals).size).toBe(1);
  expect(decimals[0]).toBeGreaterThan(4);
});

test("a day of the spend chart opens its generations, by click and by keyboard", async ({ page, hub }) => {
  await generateAndWait(hub, page, "a chart of a day");
  await signInTo(page, hub, "/overview");
  const today = dayOf(Date.now());
  const chart = page.getByRole("list", { name: /^Spend by day/ });
  await chart.getByRole("link").last().click();
  await expect(page).toHaveURL(`${hub.url}/generations?from=${today}&to=${today}`);
  await expect(page.getByRole("row", { name: /a chart of a day/ }).first()).toBeVisible();

  await page.goBack();
  await expectHydrated(page);
  await chart.getByRole("link").last().focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  const yesterday = dayOf(Date.parse(today) - DAY_MS);
  await expect(page).toHaveURL(`${hub.url}/generations?from=${yesterday}&to=${yesterday}`);

  await page.goBack();
  await page.getByRole("list", { name: "Spend by key" }).getByRole("link", { name: "demo" }).click();
  await expect(page).toHaveURL(/\/generations\?key=[0-9a-f-]{36}&from=.*&to=/);
  await page.goto(`${hub.url}/keys`);
  await page.getByRole("link", { name: "demo" }).first().click();
  await page
    .getByRole("list", { name: /^Spend by day/ })
    .getByRole("link")
    .last()
    .click();
  await expect(page).toHaveURL(/\/generations\?key=[0-9a-f-]{36}&from=.*&to=/);
});

test("a record explains its bill, and buttons that spend name their price", async ({ page, hub }) => {
  const id = await generateAndWait(hub, page, "a bill on a spike");
  await signInTo(page, hub, `/generations/${id}`);
  const cost = page.getByRole("region", { name: "Cost" });
  await expect(cost).toContainText("$0.01 × 0.92 €/$ = €0.0092");
  await expect(cost).toContainText("Exactly the reserved amount was charged.");
  await expect(page.getByRole("button", { name: "Run again · €0.0092" })).toBeVisible();
  await page.goto(`${hub.url}/characters/new`);
  await expect(page.getByRole("button", { name: /^Create and start · up to €\d/ })).toBeVisible();
});
