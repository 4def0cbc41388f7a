import type { Page } from "@playwright/test";
import { adminPages } from "./app-pages";
import { giveSecondFactor } from "./authenticator";
import { expectUsable, expectUsableInEveryTheme, requestKey, signUp } from "./console";
import { grantRole } from "./grants";
import { expect, test } from "./journey";

const admin = (page: Page) => page.getByRole("navigation", { name: "Admin" });

test("an operator finds, credits, suspends and views an account, and the log says so", async ({
  page,
  hub,
  browser,
}) => {
  const customer = await signUp(page, hub.url, undefined, "customer");
  const { key } = await requestKey(page, hub.url, "laptop");
  const operator = await signUp(page, hub.url, undefined, "operator");
  expect((await page.request.get(`${hub.url}/admin`)).status()).toBe(404);
  await grantRole(hub, operator.email, "operator");
  await giveSecondFactor(hub, operator.email);
  await page.goto(`${hub.url}/overview`);
  await page.getByRole("link", { name: "Admin" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Status");
  await page.getByRole("button", { name: "Run audit" }).click();
  await expect(page.getByText("The ledger is consistent")).toBeVisible({ timeout: 30_000 });

  await admin(page).getByRole("link", { name: "Accounts" }).click();
  await page.getByRole("searchbox").fill(key.slice(0, 18));
  await page.getByRole("link", { name: customer.email }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(customer.email);
  await page.getByRole("button", { name: "Credit or correct" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount (EUR)").fill("12.50");
  await dialog.getByRole("button", { name: "Credit" }).click();
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await page.keyboard.type("Ticket 7");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Credit recorded.", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Balance" })).toContainText("€12.50");
  await page.getByLabel("New note").fill("Asked for an invoice.");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByRole("region", { name: "Notes" })).toContainText("Asked for an invoice.");
  await page.getByRole("button", { name: "Suspend", exact: true }).click();
  await dialog.getByLabel("Reason").fill("Looks like abuse");
  await dialog.getByRole("button", { name: "Suspend account" }).click();
  await expect(page.getByText("Suspended", { exact: true })).toBeVisible();
  const me = () => page.request.get(`${hub.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  expect((await me()).status()).toBe(401);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await dialog.getByLabel("Reason").fill("It was none");
  await dialog.getByRole("button", { name: "Resume account" }).click();
  await expect(page.getByText("Account resumed.", { exact: true })).toBeVisible();
  expect((await me()).status()).toBe(200);
  await expectUsable(page);

  const created = await page.request.post(`${hub.url}/api/v1/hub/generations`, {
    headers: { authorization: `Bearer ${key}` },
    data: { model: "sandbox-image", input: { prompt: "a secret lighthouse" } },
  });
  const generation = (await created.json()) as { id: string };
  await page.getByRole("button", { name: "View as" }).click();
  await dialog.getByRole("button", { name: "View" }).click();
  await expect(page).toHaveURL(`${hub.url}/overview`);
  await expect(page.getByText(`You are viewing ${customer.email}`)).toBeVisible();
  await expectUsable(page);
  await page.goto(`${hub.url}/keys`);
  await expect(page.getByRole("row", { name: /laptop/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
  await page.goto(`${hub.url}/balance`);
  await expect(page.getByRole("table", { name: "Transactions" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Export CSV" })).toHaveCount(0);
  await page.goto(`${hub.url}/generations/${generation.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("sandbox-image");
  await expect(page.getByText("lighthouse")).toHaveCount(0);
  await page.goto(`${hub.url}/files`);
  await expect(page.getByText("View the account with a reason")).toBeVisible();
  await page.getByRole("button", { name: "Stop viewing" }).click();
  await expect(page).toHaveURL(`${hub.url}/admin/accounts`);

  const accounts = page.getByRole("main");
  await page.getByRole("searchbox").fill(customer.email);
  const found = accounts.getByRole("row", { name: customer.email });
  await expect(found).toContainText(`${customer.email} has €12.49.`);
  await found.getByRole("link", { name: /^Audit log/ }).click();
  await expect(accounts.getByText(/ suspended account \d+\.$/)).toBeVisible();
  await page.goBack();
  await accounts.getByRole("link", { name: customer.email }).click();
  const charge = page.getByRole("region", { name: "Statement" }).getByRole("link", { name: /: sandbox-image$/ });
  await charge.click();
  await expect(page).toHaveURL(new RegExp(`#${generation.id}$`));
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  const topOf = async (name: string) => (await page.getByRole("region", { name }).boundingBox())!.y;
  expect(await topOf("Balance")).toBeLessThan(await topOf("Statement"));
  await page.setViewportSize(size);

  await page.goto(`${hub.url}/admin/audit-log?operator=${encodeURIComponent(operator.email)}`);
  const log = page.getByRole("table", { name: "Audit log" });
  for (const verb of ["credited", "suspended", "resumed", "added a note to", "started viewing", "stopped viewing"])
    await expect(log.getByText(new RegExp(`${operator.email} ${verb} account \\d+\\.`))).toBeVisible();
  await expect(log).toContainText("suspended: false → true");
  await expect(log).toContainText("“Looks like abuse”");
  const desktop = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(log.getByText("suspended: false → true").filter({ visible: true })).toBeVisible();
  await page.setViewportSize(desktop);

  const context = await browser.newContext();
  const second = await context.newPage();
  const auditor = await signUp(second, hub.url, undefined, "auditor");
  await grantRole(hub, auditor.email, "auditor");
  await giveSecondFactor(hub, auditor.email);
  for (const { route } of adminPages) {
    const path = route.replace("[id]", "1");
    await second.goto(hub.url + path);
    // The first page shows the charts; the others share their parts with the console.
    await (route === "/admin" ? expectUsableInEveryTheme : expectUsable)(second);
    await expect(second.getByRole("button", { name: "View as" })).toHaveCount(route === "/admin/accounts/[id]" ? 1 : 0);
    for (const name of ["Credit or correct", "Suspend", "Add note", "Run audit", /^Test/])
      await expect(second.getByRole("button", { name })).toHaveCount(0);
  }
  const forbidden = await second.request.post(`${hub.url}/api/trpc/admin.accounts.note`, {
    data: { json: { account: 1, text: "x" } },
  });
  expect(forbidden.status()).toBe(403);
  await context.close();
});
