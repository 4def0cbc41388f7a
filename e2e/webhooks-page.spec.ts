import { closeSecret, expectUsable, requestKey, signUp } from "./console";
import { grantCredit } from "./grants";
import { expect, test } from "./journey";

test("a webhook is created, tested, rotated and revoked", async ({ page, hub, consoleErrors }) => {
  await signUp(page, hub.url);
  await page.goto(`${hub.url}/webhooks`);
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
  const dialog = page.getByRole("dialog");
  const add = async (address: string) => {
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    await dialog.getByLabel("URL").fill(address);
    await dialog.getByRole("button", { name: "Add webhook" }).click();
  };
  await add("https://127.0.0.1/hook");
  await expect(dialog.getByLabel("URL")).toHaveAccessibleDescription(/public/);
  consoleErrors.length = 0;
  await dialog.getByLabel("URL").fill(`${hub.receiver}/away`);
  await dialog.getByLabel("generation.running").uncheck();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByLabel("New secret")).toHaveText(/^whsec_/);
  await closeSecret(page);

  for (let count = 2; count <= 5; count += 1) {
    await add(hub.receiver);
    await closeSecret(page);
    await expect(page.getByRole("region", { name: "Active", exact: true })).toContainText(`${count} of 5`);
  }
  await add(hub.receiver);
  await expect(dialog.getByRole("alert")).toHaveText("An account can have 5 active webhooks. Revoke one first.");
  consoleErrors.length = 0;
  await page.keyboard.press("Escape");

  const desktop = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  const awayLink = page.getByRole("link", { name: `${hub.receiver}/away` });
  // The end of a URL tells two of the same host apart.
  await expect(awayLink.getByText(/.\/away$/).last()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(desktop);
  await awayLink.click();
  await expect(page.getByText("No deliveries yet")).toBeVisible();
  await page.getByRole("button", { name: "Send test event" }).click();
  const deliveries = page.getByRole("region", { name: "Deliveries" });
  await expect(deliveries.getByText("Failed")).toBeVisible();
  await deliveries.getByText("webhook.test").click();
  await expect(deliveries.getByLabel("Response 1")).toHaveText("gone for good");
  await expect(deliveries.getByLabel("Request")).toContainText('"event": "webhook.test"');
  await expectUsable(page);
  await deliveries.getByRole("button", { name: "Resend", exact: true }).click();
  await expect(deliveries.getByText("2 attempts")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("region", { name: "Last failure" })).toContainText(
    "The endpoint responded with HTTP 410.",
  );

  await expect(page.getByText(/^Failing: HTTP 410/)).toBeVisible();
  await expect(page.getByRole("img", { name: "Failures in 1 of the last 24 hours" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("main").getByRole("link", { name: "Webhooks", exact: true }).click();
  const failing = page.getByRole("row").filter({ has: awayLink });
  await expect(failing.getByText(/^Failing: HTTP 410/).first()).toBeVisible();
  await expect(failing.getByRole("img", { name: "Failures in 1 of" }).first()).toBeVisible();
  await awayLink.click();
  await page.setViewportSize(desktop);

  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(deliveries.getByText("Failed", { exact: true })).toHaveCount(2);
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(deliveries.getByText("Failed", { exact: true })).toHaveCount(3);
  await expect(page.getByRole("listitem").filter({ hasText: "Test event sent" })).toHaveCount(1);
  await deliveries.getByLabel("Select all deliveries").press("Space");
  await expect(deliveries.getByText("3 selected")).toBeVisible();
  await deliveries
    .getByLabel(/^Select webhook.test/)
    .first()
    .press("Space");
  await expect(deliveries.getByText("2 selected")).toBeVisible();
  await deliveries.getByRole("button", { name: "Resend", exact: true }).first().press("Enter");
  await expect(page.getByText("2 deliveries queued again.", { exact: true })).toBeVisible();
  await expect(deliveries.getByText("Select all")).toBeVisible();
  await expect(deliveries.getByText("3 attempts")).toBeVisible();
  await deliveries.getByLabel("Failed or retrying").click();
  await expect(page).toHaveURL(/\?failed=yes$/);
  await page.reload();
  await expect(deliveries.getByText("Failed", { exact: true })).toHaveCount(3);
  await deliveries.getByRole("button", { name: "Resend all failed" }).click();
  await expect(page.getByText("3 deliveries queued again.", { exact: true })).toBeVisible();
  await deliveries.getByLabel("Failed or retrying").click();
  await expect(deliveries.getByText("4 attempts")).toBeVisible();

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  await expect(dialog.getByLabel("New secret")).toHaveText(/^whsec_/);
  await closeSecret(page);
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke webhook" }).click();
  await expect(page.getByText("Webhook revoked.", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveCount(0);
  await page.getByRole("link", { name: "Webhooks", exact: true }).first().click();
  await expect(page.getByRole("region", { name: "Active", exact: true })).toContainText("4 of 5");
});

test("a failing receiver is reported and recovers", async ({ page, hub, request }) => {
  // An account of its own: generations of other journeys would be delivered too.
  const { email } = await signUp(page, hub.url);
  await grantCredit(hub, email, 5);
  const { key } = await requestKey(page, hub.url, "laptop");
  await page.goto(`${hub.url}/webhooks`);
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(`${hub.receiver}/ill`);
  await dialog.getByLabel("generation.running").uncheck();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await closeSecret(page);
  await page.getByRole("link", { name: `${hub.receiver}/ill` }).click();

  const reply = await request.post(`${hub.url}/api/v1/hub/generations`, {
    headers: { Authorization: `Bearer ${key}` },
    data: { model: "sandbox-image", input: { prompt: "an undelivered event" } },
  });
  expect(reply.status()).toBe(202);
  const deliveries = page.getByRole("region", { name: "Deliveries" });
  // An example is shown until the first delivery.
  const delivery = deliveries.getByRole("listitem").filter({ hasText: "generation.completed" });
  await delivery.getByText("generation.completed").click();
  await expect(deliveries.getByLabel("Response 1")).toHaveText("not today");
  await expect(delivery.locator("summary")).toContainText(/Retrying.*503 · \d+ ms · next in/);
  const filter = deliveries.getByLabel("Failed or retrying");
  // The box is ticked with the click, not when the router has followed the URL.
  expect(await filter.evaluate((box: HTMLInputElement) => (box.click(), box.checked))).toBe(true);
  await expect(delivery.getByText("Retrying")).toBeVisible();
  await filter.uncheck();

  const overview = await page.context().newPage();
  await overview.goto(`${hub.url}/overview`);
  const warnings = overview.getByRole("region", { name: "Needs attention" });
  await expect(warnings).toContainText(
    `Webhook deliveries to ${hub.receiver.replace("https://", "")}/ill are failing: HTTP 503`,
  );
  const endpointLink = `a[href="${new URL(page.url()).pathname}"]`;
  await expect(warnings.locator(endpointLink)).toHaveText("View deliveries");
  await overview.close();

  await request.get(`${hub.receiver}/ill/cure`, { ignoreHTTPSErrors: true });
  await expect(delivery.getByText("Delivered", { exact: true })).toBeVisible({ timeout: 15_000 });
  await page.goto(`${hub.url}/overview`);
  await expect(page.getByRole("region", { name: "Spend", exact: true })).toBeVisible();
  await expect(page.locator(endpointLink)).toHaveCount(0);
});
