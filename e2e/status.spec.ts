import { giveSecondFactor } from "./authenticator";
import { expectUsable, signUp } from "./console";
import { grantRole } from "./grants";
import { expect, test } from "./journey";
import { seedHistory } from "./seed-history";

test("operators see requests, times, load and paused routes in pictures, with the same figures in tables", async ({
  page,
  hub,
}) => {
  const operator = await signUp(page, hub.url, undefined, "operator");
  await grantRole(hub, operator.email, "auditor");
  await giveSecondFactor(hub, operator.email);
  await seedHistory(hub.dataDir);
  await page.goto(`${hub.url}/admin`);
  const work = page.getByRole("region", { name: "Attempts at providers" });
  await expect(work.getByRole("img", { name: /^Requests by model\./ })).toBeVisible();
  const row = work.getByRole("row", { name: /drawn-model/ });
  await expect(row).toContainText("80%");
  await expect(row).toContainText("€4.00");
  await expect(page.getByRole("img", { name: /^Queued, running and workers online over time\./ })).toBeVisible();
  const routes = page.getByRole("region", { name: "Paused routes" });
  await expect(routes).toContainText("drawn-route");
  await routes.getByText("Paused once").first().click();
  await expect(routes).toContainText(/for 30 min.*: provider unreachable/);
  await expectUsable(page);

  await work.getByRole("radio", { name: "7 days" }).click();
  await work.getByRole("radio", { name: "Provider" }).click();
  await work.getByRole("radio", { name: "First token" }).click();
  await expect(page).toHaveURL(`${hub.url}/admin?period=7d&by=provider&measure=first_token_p50_ms`);
  await expect(work.getByRole("img", { name: /^First token by provider\./ })).toBeVisible();
  await expect(work.getByRole("row", { name: /drawn-provider/ })).toBeVisible();
});
