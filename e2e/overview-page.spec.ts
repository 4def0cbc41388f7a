import { expectUsable, signInTo, signUp } from "./console";
import { expect, test } from "./journey";

const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

test("the overview shows spend by day, model and key", async ({ page, hub, request }) => {
  const headers = { Authorization: `Bearer ${hub.key}` };
  const data = { model: "sandbox-image", input: { prompt: "a picture to count" } };
  expect((await request.post(`${hub.url}/api/v1/hub/generations`, { headers, data })).status()).toBe(202);
  await signInTo(page, hub, "/overview");
  await expect(page.getByRole("row", { name: /a picture to count/ }).first()).toContainText("Succeeded");

  const spend = page.getByRole("region", { name: "Spend", exact: true });
  await expect(spend.getByRole("list", { name: "Spend by model" })).toContainText("sandbox-image");
  await expect(spend.getByRole("list", { name: "Spend by key" })).toContainText("demo");
  await spend.getByRole("radio", { name: "7 days" }).click();
  await expect(page).toHaveURL(`${hub.url}/overview?days=7`);
  await expect(spend).toContainText("in the last 7 days");
  await spend.getByText("Show as table").click();
  const today = spend.getByRole("row", { name: dayFormat.format(new Date()) });
  await expect(today).toContainText(/€0\.\d+/);
  const drawn = spend.locator("[data-day]").last();
  await drawn.hover();
  await expect(drawn).toContainText(/billed/);
  await page.reload();
  await expect(spend.getByRole("radio", { name: "7 days" })).toBeChecked();
});

test("a new account sees its first steps", async ({ page, hub }) => {
  await signUp(page, hub.url);
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("region", { name: "Spend", exact: true })).toHaveCount(0);
  await expectUsable(page);
});
