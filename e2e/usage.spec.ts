import { signUp } from "./console";
import { expect, test } from "./journey";
import { seedSpend } from "./seed-spend";

test("usage is drawn by model, saved as CSV and PNG, and leads to its generations", async ({ page, hub }) => {
  const { email } = await signUp(page, hub.url);
  await page.goto(`${hub.url}/usage`);
  await expect(page.getByText("No usage in this period")).toBeVisible();

  await seedSpend(hub.dataDir, email);
  await page.goto(`${hub.url}/usage`);
  await expect(page.getByText(/^€[\d.]+ this month so far\. At the pace of the last 7 days, about €/)).toBeVisible();
  const chart = page.getByRole("img", { name: /^Stacked bars of cost by day/ });
  await expect(chart).toBeVisible();
  const table = page.getByRole("table", { name: "Usage" });
  await expect(table.getByRole("row")).not.toHaveCount(1);

  const csv = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  expect((await csv).suggestedFilename()).toMatch(/^usage-\d{4}-\d\d-\d\d\.csv$/);
  const png = page.waitForEvent("download");
  await page.getByRole("button", { name: "PNG" }).click();
  expect((await png).suggestedFilename()).toBe("usage.png");

  await page.getByRole("radio", { name: "This month" }).click();
  await expect(page).toHaveURL(`${hub.url}/usage?period=month`);
  await expect(chart).toBeVisible();
  await page.getByRole("radio", { name: "90 days" }).click();
  await page.getByRole("radio", { name: "Generations" }).click();
  await expect(page).toHaveURL(`${hub.url}/usage?period=90d&measure=generations`);
  await expect(page.getByRole("img", { name: /^Stacked bars of generations by day/ })).toBeVisible();
  await page.getByRole("combobox", { name: "By" }).selectOption("API key");
  await expect(table.getByRole("row").nth(1)).toContainText("Console");

  await page.getByRole("combobox", { name: "By" }).selectOption("Model");
  const first = table.getByRole("link").first();
  const model = await first.textContent();
  await first.click();
  await expect(page).toHaveURL(new RegExp(`/generations\\?model=${model}&from=`));
});
