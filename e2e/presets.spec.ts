import { expectAccessible, signUp } from "./console";
import { expect, test } from "./journey";

test("an input is saved by a name, used again and deleted after a question", async ({ page, hub }) => {
  await signUp(page, hub.url, "/playground?model=sandbox-image", "saver");
  const prompt = page.getByLabel("prompt *");
  await prompt.fill("a mug on white");
  await page.getByRole("button", { name: "Presets" }).click();
  const dialog = page.getByRole("dialog", { name: "Presets" });
  await expect(dialog.getByText("No presets of this model yet.")).toBeVisible();
  await dialog.getByLabel("Name").fill("My product shots");
  await dialog.getByRole("button", { name: "Save this input" }).click();
  await expect(dialog.getByRole("listitem")).toHaveText(/My product shots/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).click();

  await prompt.fill("something else");
  await page.getByRole("button", { name: "Presets" }).click();
  await dialog.getByRole("button", { name: "Use My product shots" }).click();
  await expect(prompt).toHaveValue("a mug on white");

  await page.getByRole("button", { name: "Presets" }).click();
  await dialog.getByRole("button", { name: "Delete My product shots" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete My product shots?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await dialog.getByRole("button", { name: "Delete My product shots" }).click();
  await question.getByRole("button", { name: "Delete preset" }).click();
  await expect(dialog.getByText("No presets of this model yet.")).toBeVisible();

  // A chat's are its system prompt and its settings.
  await page.goto(`${hub.url}/playground?model=sandbox-text`);
  const system = page.getByRole("textbox", { name: "system" });
  const settings = page.getByRole("region", { name: "Settings" });
  await system.fill("Answer as a keeper.");
  await page.getByRole("spinbutton", { name: "max_tokens" }).fill("40");
  await settings.getByRole("button", { name: "Presets" }).click();
  await dialog.getByLabel("Name").fill("Keeper");
  await dialog.getByRole("button", { name: "Save these settings" }).click();
  await expect(dialog.getByRole("listitem")).toHaveText(/Keeper/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await system.fill("");
  await page.getByRole("spinbutton", { name: "max_tokens" }).fill("7");
  await settings.getByRole("button", { name: "Presets" }).click();
  await dialog.getByRole("button", { name: "Use Keeper" }).click();
  await expect(system).toHaveValue("Answer as a keeper.");
  await expect(page.getByRole("spinbutton", { name: "max_tokens" })).toHaveValue("40");
  await expect(settings.getByRole("button", { name: "Presets" })).toBeFocused();
});
