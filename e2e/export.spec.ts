import { readFile } from "node:fs/promises";
import { expectUsable, signUp } from "./console";
import { expect, test } from "./journey";

test("an owner exports the account's data, which nobody else can download", async ({ page, hub, browser }) => {
  await signUp(page, hub.url, "/settings");
  const card = page.locator("#export");
  await card.getByRole("button", { name: "Export data" }).click();
  await expect(card.getByText("Collecting your data")).toBeVisible();
  await expect(card.getByText("Your archive is ready")).toBeVisible({ timeout: 30_000 });
  await expectUsable(page);
  const link = card.getByRole("link", { name: "Download archive" });
  const address = (await link.getAttribute("href"))!;
  const started = page.waitForEvent("download");
  await link.click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/^export-\d{4}-\d\d-\d\d\.zip$/);
  const content = await readFile(await download.path());
  expect(content.subarray(0, 2).toString()).toBe("PK");
  expect(content.includes("README.txt")).toBe(true);
  const part = await page.request.get(hub.url + address, { headers: { range: "bytes=2-9" } });
  expect(part.status()).toBe(206);
  expect(await part.body()).toEqual(content.subarray(2, 10));

  const stranger = await browser.newPage();
  expect((await stranger.request.get(hub.url + address, { maxRedirects: 0 })).status()).toBe(307);
  await signUp(stranger, hub.url);
  expect((await stranger.request.get(hub.url + address)).status()).toBe(404);
  await stranger.close();

  await card.getByRole("button", { name: "Delete export" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete export" }).click();
  await expect(card.getByRole("button", { name: "Export data" })).toBeVisible();
  expect((await page.request.get(hub.url + address)).status()).toBe(404);
});
