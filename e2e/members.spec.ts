import type { Page } from "@playwright/test";
import { createKey, expectHydrated, expectUsable, signInTo, signUp } from "./console";
import { expect, test } from "./journey";
import { openMailbox } from "./mailbox";
import { pixel } from "./pixel";
import { queryHub } from "./query-hub";
import { startHub } from "./server";

/** Expects that the browser has logged nothing but requests that did not reach the hub. */
function expectUnreached(consoleErrors: string[]): void {
  expect(consoleErrors.filter((message) => !message.includes("net::ERR_FAILED"))).toEqual([]);
  consoleErrors.length = 0;
}

const navigation = (page: Page) => page.getByRole("navigation", { name: "Console" });

test("an owner invites a developer, who sees no billing, and removes them but for a key", async ({ page, browser }) => {
  const mail = await openMailbox();
  const hub = await startHub({ env: { SMTP_URL: mail.url, SIGN_UP: "closed" } });
  await signInTo(page, hub, "/members");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a member" });
  await dialog.getByLabel("E-mail address").fill("dev@example.org");
  const chosen = dialog.getByLabel("Role");
  for (const [role, hint] of [
    ["viewer", "Read-only access"],
    ["developer", "Keys, generations, files and webhooks"],
  ]) {
    await chosen.selectOption(role!);
    await expect(chosen).toHaveAccessibleDescription(new RegExp(`^${hint}`));
  }
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByRole("row", { name: /dev@example.org/ })).toContainText("Developer");

  const context = await browser.newContext();
  const guest = await context.newPage();
  const link = await mail.readLink(/\/invitation\?token=[\w-]+/);
  await guest.goto(hub.url + link);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(`Join ${hub.demo.email}`);
  await expectUsable(guest);
  await guest.getByLabel("Choose a password").fill("correct horse");
  await guest.getByRole("button", { name: "Accept invitation" }).click();
  await expect(guest).toHaveURL(`${hub.url}/overview`);
  for (const name of ["Balance", "Members", "Admin"])
    await expect(navigation(guest).getByRole("link", { name, exact: true })).toHaveCount(0);
  await expect(guest.getByText("Ready to spend")).toHaveCount(0);
  await guest.goto(`${hub.url}/balance`);
  await expect(guest).toHaveURL(`${hub.url}/no-access`);
  const statement = await guest.request.get(`${hub.url}/api/trpc/balance.statement?input=%7B%22json%22%3A%7B%7D%7D`);
  expect(statement.status()).toBe(403);
  await guest.goto(`${hub.url}/settings`);
  await expect(guest.getByText("with the role Developer")).toBeVisible();
  await guest.goto(`${hub.url}/keys`);
  await createKey(guest, "lost");
  await guest.goto(hub.url + link);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("This invitation can’t be used");

  await page.reload();
  const role = page.getByLabel("Role of dev@example.org").filter({ visible: true });
  await role.selectOption("viewer");
  const question = page.getByRole("alertdialog", { name: "Change the role of dev@example.org to Viewer?" });
  await expect(question).toContainText("The API key or connected app that they made will stop working immediately.");
  await question.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByText("dev@example.org is now viewer.", { exact: true })).toBeVisible();
  await guest.goto(`${hub.url}/keys`);
  await expect(guest.getByRole("button", { name: "Create key" })).toHaveCount(0);
  await expect(guest.getByRole("row", { name: /lost/ })).toHaveCount(0);
  await role.selectOption("developer");
  await expect(page.getByText("dev@example.org is now developer.", { exact: true })).toBeVisible();
  await guest.goto(`${hub.url}/keys`);
  await createKey(guest, "kept");
  await page.reload();
  await page.getByRole("button", { name: "Remove dev@example.org" }).click();
  const removal = page.getByRole("dialog", { name: "Remove dev@example.org?" });
  await removal.getByLabel("Keep “kept”").check();
  await removal.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("dev@example.org was removed.", { exact: true })).toBeVisible();
  await page.goto(`${hub.url}/keys`);
  await expect(page.getByRole("row", { name: /kept/ })).toBeVisible();
  await guest.goto(`${hub.url}/overview`);
  await expect(guest).toHaveURL(/\/sign-in/);

  // Invited again, they sign in with the password that they have.
  await page.goto(`${hub.url}/members`);
  await page.getByRole("button", { name: "Invite" }).click();
  await dialog.getByLabel("E-mail address").fill("dev@example.org");
  await dialog.getByLabel("Role").selectOption("billing");
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Invitation sent to dev@example.org.", { exact: true })).toBeVisible();
  await context.close();
  await hub.stop();
  mail.close();
});

test("a person with two accounts switches between them, and changes nothing as a viewer", async ({
  page,
  hub,
  consoleErrors,
}) => {
  // Not the demo account: other journeys delete its files while its overview shows them.
  const { email: first } = await signUp(page, hub.url, undefined, "first");
  const multipart = { file: pixel };
  await page.request.post(`${hub.url}/api/v1/hub/files`, {
    headers: { "X-Requested-With": "XMLHttpRequest" },
    multipart,
  });
  const { email: second } = await signUp(page, hub.url, undefined, "second");
  await queryHub(
    hub.dataDir,
    "INSERT INTO membership (account_id, person_id, role, created_at) SELECT a.id, p.id, 'viewer', now() FROM account a, person p WHERE a.email = $1 AND p.email = $2",
    [first, second],
  );
  await page.goto(`${hub.url}/overview`);
  const other = await page.context().newPage();
  await other.goto(`${hub.url}/keys`);
  await expect(other.getByRole("button", { name: "Create key" }).first()).toBeVisible();
  const switcher = page.getByLabel(`Account; signed in as ${second}`).locator("visible=true");
  await switcher.selectOption(`${first} (viewer)`);
  await expect(navigation(page).getByRole("link", { name: "Members" })).toHaveCount(0);
  // A tab that showed the first account would now change and charge this one.
  await expect(navigation(other).getByRole("link", { name: "Members" })).toHaveCount(0);
  await other.close();
  await expectUsable(page);
  await page.route("**/account.switch*", (route) => route.abort());
  await switcher.selectOption(`${second} (owner)`);
  await expect(page.getByText("The hub could not be reached. Try again.", { exact: true })).toBeVisible();
  await expect(switcher.locator("option:checked")).toHaveText(`${first} (viewer)`);
  await page.unroute("**/account.switch*");

  // A viewer selects files, but deletes none.
  await page.goto(`${hub.url}/files`);
  await page.getByRole("checkbox", { name: "Select all files" }).check();
  await expect(page.getByRole("group", { name: "Selected files" })).toContainText("1 selected");
  await expect(page.getByRole("button", { name: "Delete", exact: true })).toHaveCount(0);
  await page.goto(`${hub.url}/keys?new`);
  await expectHydrated(page);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await switcher.selectOption(`${second} (owner)`);
  await expect(navigation(page).getByRole("link", { name: "Members" })).toBeVisible();
  expectUnreached(consoleErrors);
});

test("without a mail server an owner names the account and invites by a link", async ({
  page,
  hub,
  browser,
  consoleErrors,
}) => {
  await signUp(page, hub.url, "/settings", "owner");
  await page.getByLabel("Account name").fill("Studio Nord");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("The account is now called Studio Nord.", { exact: true })).toBeVisible();
  await page.getByLabel("Low-balance threshold (EUR)").fill("12.5");
  await page.getByRole("button", { name: "Save amount" }).click();
  await expect(page.getByText("Alert amount saved.", { exact: true })).toBeVisible();
  await page.getByLabel("Slack-compatible URL").fill(`${hub.receiver}/slack`);
  await page.getByRole("button", { name: "Save URL" }).click();
  await expect(page.getByText(`At ${new URL(hub.receiver).host}`)).toBeVisible();
  await page.route("**/alerts.change*", (route) => route.abort());
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("The hub could not be reached. Try again.", { exact: true })).toBeVisible();
  await page.unroute("**/alerts.change*");
  await page.getByLabel("Metadata keys").fill("team, feature");
  await page.getByRole("button", { name: "Save keys" }).click();
  await expect(page.getByText("Usage keys saved.", { exact: true })).toBeVisible();

  await page.goto(`${hub.url}/members`);
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Role").selectOption("viewer");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByLabel("New link").textContent();
  await dialog.getByRole("button", { name: "I have saved it" }).click();
  await expect(page.getByRole("row", { name: /Link for one person/ })).toContainText("Viewer");
  await expectUsable(page);

  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(hub.url + new URL(link!).pathname + new URL(link!).search);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("Join Studio Nord");
  await expectUsable(guest);
  const email = `new-${Date.now()}@example.org`;
  await guest.getByLabel("E-mail").fill(email);
  await guest.getByLabel("Password", { exact: true }).fill("correct horse");
  await guest.getByRole("button", { name: "Join" }).click();
  await expect(guest).toHaveURL(`${hub.url}/overview`);
  await page.reload();
  await expect(page.getByRole("row", { name: new RegExp(email) })).toBeVisible();
  await context.close();
  expectUnreached(consoleErrors);
});
