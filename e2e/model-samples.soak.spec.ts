import { giveSecondFactor } from "./authenticator";
import { expectAccessible, expectHydrated, expectUsable, signUp } from "./console";
import { grantCredit, grantRole } from "./grants";
import { expect, test } from "./journey";
import { pixel } from "./pixel";
import { runCli } from "./server";

test("an operator makes a sample, which the gallery, the picker and the home page show", async ({
  page,
  hub,
  browser,
}) => {
  await page.goto(hub.url);
  const { email } = await signUp(page, hub.url, undefined, "curator");
  await grantCredit(hub, email, 1);
  await grantRole(hub, email, "operator");
  await giveSecondFactor(hub, email);
  await page.goto(`${hub.url}/admin/samples`);
  const card = page.getByRole("region", { name: "Sandbox image", exact: true });
  const make = card.getByRole("button", { name: "Make a sample of Sandbox image" });
  await expect(make).toContainText("€0.0092");
  await make.click();
  const made = card.getByRole("img", { name: "sample 1 of Sandbox image" });
  await expect.poll(() => made.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640);
  await card.getByRole("button", { name: "Show sample 1 of Sandbox image on the home page" }).click();
  await expect(card.getByText("On home page", { exact: true })).toBeVisible();
  const chooser = page.waitForEvent("filechooser");
  await card.getByRole("button", { name: "Choose a picture" }).click();
  await (await chooser).setFiles(pixel);
  await expect(card.getByRole("img", { name: "sample 2 of Sandbox image" })).toBeVisible();
  await expectUsable(page);

  // A visitor sees the published sample on the home page, and not the other one.
  const visitor = await browser.newPage();
  const onHome = visitor.getByRole("list", { name: "Samples" }).getByRole("img", { name: "Made with Sandbox image" });
  // The home page that visitors see is some seconds old.
  await expect(async () => {
    await visitor.goto(hub.url);
    expect(await onHome.count()).toBe(1);
  }).toPass();
  await expect.poll(() => onHome.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640);
  await expectAccessible(visitor);
  const hidden = await card.getByRole("img", { name: "sample 2 of Sandbox image" }).getAttribute("src");
  expect((await visitor.request.get(hub.url + hidden)).status()).toBe(404);
  await visitor.close();

  await page.goto(`${hub.url}/models?max=0.01&sort=price`);
  const listed = page.getByRole("listitem").filter({ hasText: "Sandbox image" });
  await expect(listed).toContainText("€0.0092 a run");
  await expect.poll(() => listed.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640);
  await expectUsable(page);
  await page.goto(`${hub.url}/models/sandbox-image`);
  await expect(page.getByRole("list", { name: "Samples" }).getByRole("img")).toHaveCount(2);

  await page.goto(`${hub.url}/admin/samples`);
  for (const left of [1, 0]) {
    await card.getByRole("button", { name: "Remove sample 1 of Sandbox image" }).click();
    await page.getByRole("button", { name: "Remove sample", exact: true }).click();
    await expect(card.getByRole("img")).toHaveCount(left);
  }
  expect((await runCli(["sample", "list"], { HUB_DATA_DIR: hub.dataDir })).stdout).not.toContain("sandbox-image");
});

test("the picker of models is searched by keyboard, and is a select without a pointer or a script", async ({
  page,
  hub,
}) => {
  await signUp(page, hub.url, "/playground?model=sandbox-image");
  const select = page.getByRole("combobox", { name: "Model" });
  await expectHydrated(page);
  await select.focus();
  await page.keyboard.press("t");
  const search = page.getByRole("combobox", { name: "Search models" });
  await expect(search).toHaveValue("t");
  await search.fill("sandbox");
  const options = page.getByRole("listbox", { name: "Models" }).getByRole("option");
  await expect(options.first()).toContainText("a run");
  await expect(options.filter({ hasText: "Sandbox image" })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(search).toHaveCount(0);
  await expect(select).toBeFocused();

  await page.keyboard.press("ArrowDown");
  await search.fill("nothing like it");
  await expect(page.getByText("No models found")).toBeVisible();
  await search.fill("sandbox");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  const other = await options.nth(1).getAttribute("id");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/model=sandbox-(?!image$)/);
  expect(other).toContain(await select.inputValue());

  await page.setViewportSize({ width: 390, height: 844 });
  await select.locator("xpath=..").click();
  const sheet = page.getByRole("dialog", { name: "Choose a model" });
  expect((await sheet.boundingBox())!.y + (await sheet.boundingBox())!.height).toBeCloseTo(844, 0);
  await options.filter({ hasText: "Sandbox image" }).click();
  await expect(page).toHaveURL(/model=sandbox-image$/);

  // Software that changes the select directly, such as a screen reader, chooses a model too.
  await select.selectOption({ index: 1 });
  await expect(page).toHaveURL(/model=sandbox-(?!image$)/);
});
