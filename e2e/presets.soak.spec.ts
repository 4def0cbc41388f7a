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

  // Presets of a chat hold its system prompt and its settings.
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

test("on a phone, a price that arrives late moves no button", async ({ page, hub }) => {
  let held: (() => void)[] | null = [];
  await page.route("**/models.price*", async (route) => {
    if (held) await new Promise<void>((resolve) => held!.push(resolve));
    await route.continue();
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, hub.url, undefined, "hasty");
  for (const [model, submit] of [
    ["sandbox-text", /^Send/],
    ["sandbox-image", /^Run(?! a CSV)/],
  ] as const) {
    held = [];
    await page.goto(`${hub.url}/playground?model=${model}`);
    await expect.poll(() => held!.length).toBeGreaterThan(0);
    const buttons = page.getByRole("button", { name: "Presets" }).or(page.getByRole("button", { name: submit }));
    const measure = () => buttons.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    const before = await measure();
    for (const release of held) release();
    held = null;
    await expect(page.getByRole("button", { name: submit }).last()).toContainText(/€0\.0\d*[1-9]/);
    expect(await measure()).toEqual(before);
  }
});
