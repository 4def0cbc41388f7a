import { connectApi } from "../scripts/tour/api";
import { expectUsable, expectUsableInEveryTheme, signInTo } from "./console";
import { expect, test } from "./journey";
import { waitUntilEnded } from "./seed-account";

test("an output opens in full, and is shared by a link that strangers open until it is revoked", async ({
  page,
  hub,
  browser,
}) => {
  const api = connectApi(hub.url, hub.key);
  const input = { prompt: "a ferry that everybody may see" };
  const { body } = await api.post<{ id: string }>("/hub/generations", { model: "sandbox-image", input });
  await waitUntilEnded(api, `/hub/generations/${body.id}`);
  await signInTo(page, hub, `/generations/${body.id}`);

  const picture = page.getByRole("list", { name: "Outputs" }).getByRole("link", { name: "Output 1", exact: true });
  await picture.click();
  const lightbox = page.getByRole("dialog", { name: "Output 1" });
  await expect(lightbox.getByRole("button", { name: "Use as input" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(picture).toBeFocused();

  await page.getByRole("button", { name: "Share output 1" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Works for").selectOption("1 day");
  await dialog.getByLabel("Show the prompt").check();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = (await dialog.getByLabel("New link").textContent())!;
  await dialog.getByRole("button", { name: "I have saved it" }).click();

  const stranger = await browser.newPage();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "Picture made with AI" })).toBeVisible();
  await expect(stranger.getByText(input.prompt)).toBeVisible();
  const shown = stranger.getByRole("img", { name: /made with AI/ });
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1024);
  await expectUsableInEveryTheme(stranger);
  const download = stranger.waitForEvent("download");
  await stranger.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("sandbox-image-1.png");

  await page.goto(`${hub.url}/files/links`);
  const row = page.getByRole("table", { name: "Share links" }).locator("tbody tr").first();
  const views = row.getByRole("cell").nth(2);
  // The views are written every two seconds.
  await expect(async () => {
    await page.reload();
    await expect(views).toHaveText("1", { timeout: 1_000 });
  }).toPass();
  await expectUsable(page);
  await row.getByRole("button", { name: /^Revoke link/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke link" }).click();
  await expect(row).toContainText("Revoked");
  expect((await stranger.goto(link))!.status()).toBe(404);
  await expect(stranger.getByRole("heading", { name: "Link not available" })).toBeVisible();
  await expectUsable(stranger);
  await stranger.close();
});
