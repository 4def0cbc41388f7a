import { expectUsable, press, requestKey, signUp } from "./console";
import { expect, test } from "./journey";

test("an owner creates a budget by keyboard, changes its amount and removes it", async ({ page, hub }) => {
  await signUp(page, hub.url, undefined, "budgeter");
  await requestKey(page, hub.url, "website");
  await page.goto(`${hub.url}/budgets`);
  await expect(page.getByRole("heading", { name: "No budgets yet" })).toBeVisible();
  await press(page.getByRole("button", { name: "Create budget" }), "Enter");
  const dialog = page.getByRole("dialog", { name: "Create a budget" });
  await dialog.getByLabel("Name").fill("Team blue");
  await dialog.getByLabel("Amount (EUR)").fill("50");
  await dialog.getByLabel("Resets").selectOption("week");
  await dialog.getByRole("button", { name: "Create budget" }).click();
  await expect(dialog).toContainText("at least one key");
  await dialog.getByLabel("website").check();
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name: /Team blue/ });
  await expect(row).toContainText("API key website");
  await dialog.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Create budget" }).click();
  await dialog.getByLabel("Name").fill("Each end user");
  await dialog.getByLabel("Amount (EUR)").fill("1");
  await dialog.getByLabel("Applies to").selectOption("each_end_user");
  await dialog.getByRole("button", { name: "Create budget" }).click();
  await expect(page.getByRole("row", { name: /Each end user/ })).toBeVisible();
  await expectUsable(page);

  await row.getByRole("button", { name: "Edit Team blue" }).click();
  const edit = page.getByRole("dialog", { name: "Edit “Team blue”" });
  await edit.getByLabel("Amount (EUR)").fill("60");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("60.00");
  await row.getByRole("button", { name: "Remove Team blue" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove budget" }).click();
  await expect(row).toHaveCount(0);
});
