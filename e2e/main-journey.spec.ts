import { closeSecret, fillNewKey, fillSignUp } from "./console";
import { expect, test } from "./journey";

test("a new account runs, pays for and is notified of a generation", async ({ page, hub, request }) => {
  const { email } = await fillSignUp(page, hub.url);
  await expect(page.getByRole("region", { name: "Needs attention" })).toContainText("You have no credit");
  await hub.runCommand("credit", "grant", "--email", email, "--amount", "5");

  await page.getByRole("link", { name: "Create key" }).click();
  const headers = { Authorization: `Bearer ${await fillNewKey(page, "server")}` };
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(hub.receiver);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await closeSecret(page);
  await page.getByRole("link", { name: "Generations", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No generations yet" })).toBeVisible();

  const create = () =>
    request.post(`${hub.url}/api/v1/hub/generations`, {
      headers,
      data: { model: "sandbox-image", input: { prompt: "a lighthouse at dusk" } },
    });
  expect((await create()).status()).toBe(202);
  // The open page updates without a reload.
  const row = page.getByRole("row", { name: /a lighthouse at dusk/ });
  await expect(row).toContainText("Succeeded", { timeout: 15_000 });
  await expect(row).toContainText("€0.0092");

  await page.getByRole("link", { name: "Balance", exact: true }).click();
  const charge = page.getByRole("row", { name: /sandbox-image/ });
  await expect(charge).toContainText("-€0.0092");
  await expect(charge).toContainText("€4.9908");

  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await page.getByRole("link", { name: hub.receiver }).click();
  const deliveries = page.getByRole("region", { name: "Deliveries" });
  await expect(deliveries.getByText("Delivered")).toHaveCount(2);
  await deliveries.getByText("generation.completed").click();
  await expect(deliveries.getByLabel("Response 1")).toHaveText("thank you");
  await expect(deliveries.getByLabel("Request")).toContainText("a lighthouse at dusk");

  await page.getByRole("link", { name: "API keys", exact: true }).click();
  await page.getByRole("button", { name: "Revoke server" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("Key revoked.", { exact: true })).toBeVisible();
  expect((await create()).status()).toBe(401);
});
