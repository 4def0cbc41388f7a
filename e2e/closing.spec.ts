import { expectUsable, requestKey, signUp } from "./console";
import { grantCredit } from "./grants";
import { expect, test } from "./journey";

test("an owner closes the account, sees until when it can be read, and keeps it", async ({ page, hub }) => {
  const { email } = await signUp(page, hub.url, undefined, "leaver");
  await grantCredit(hub, email, 5);
  const { key } = await requestKey(page, hub.url, "last");
  const callModels = () => fetch(`${hub.url}/api/v1/hub/models`, { headers: { Authorization: `Bearer ${key}` } });
  await page.goto(`${hub.url}/settings`);
  await page.getByRole("button", { name: "Close account" }).click();
  const dialog = page.getByRole("dialog", { name: "Close this account?" });
  await dialog.getByLabel("Balance").selectOption("give_up");
  await dialog.getByRole("button", { name: "Close account" }).click();
  await expect(page.getByRole("region", { name: "Closing" })).toContainText("This account closes on");
  await expectUsable(page);
  expect((await callModels()).status).toBe(401);
  await page.getByRole("button", { name: "Keep the account" }).click();
  await expect(page.getByRole("region", { name: "Closing" })).toHaveCount(0);
  expect((await callModels()).status).toBe(200);
});
