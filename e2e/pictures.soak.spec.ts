import { readFile } from "node:fs/promises";
import { connectApi } from "../scripts/tour/api";
import { signInTo } from "./console";
import { expect, test } from "./journey";
import { waitUntilEnded } from "./seed-account";

test("pictures are looked through as a grid, used as input and downloaded together", async ({ page, hub }) => {
  const api = connectApi(hub.url, hub.key);
  const create = async (prompt: string, input = {}) =>
    (await api.post<{ id: string }>("/hub/generations", { model: "sandbox-image", input: { prompt, ...input } })).body.id; // prettier-ignore
  const first = await create("a quay for the gallery");
  const second = await create("a pier for the gallery");
  const waiting = await create("a wreck for the gallery", { image_input: [`sha256:${"ef".repeat(32)}`] });
  await Promise.all([first, second].map((id) => waitUntilEnded(api, `/hub/generations/${id}`)));

  await signInTo(page, hub, "/generations?q=gallery");
  await page.getByRole("radio", { name: "Grid" }).click();
  const tiles = page.getByRole("list", { name: "Generations" }).getByRole("link");
  await expect(tiles).toHaveCount(3);
  await expect(page).toHaveURL(`${hub.url}/generations?q=gallery&view=grid`);
  await tiles.first().focus();
  await page.keyboard.press("ArrowRight");
  await expect(tiles.nth(1)).toBeFocused();
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/generations.get*", async (route) => {
    await arrived;
    await route.continue();
  });
  await page.keyboard.press("Enter");
  const lightbox = page.getByRole("dialog", { name: "a pier for the gallery" });
  await expect(lightbox).toContainText("1 of 2");
  const picture = lightbox.getByRole("img", { name: "Output 1" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  // The next actions arrive later, and must not shift the layout.
  const step = lightbox.getByRole("button", { name: /^Another / });
  expect(await step.count()).toBe(0);
  const box = await picture.boundingBox();
  arrive();
  await expect(step).toBeVisible();
  expect(await picture.boundingBox()).toEqual(box);
  await page.setViewportSize(size);
  await page.keyboard.press("ArrowRight");
  const next = page.getByRole("dialog", { name: "a quay for the gallery" });
  await expect(next).toContainText("2 of 2");
  await page.keyboard.press("Escape");
  await expect(tiles.nth(2)).toBeFocused();
  await page.keyboard.press("Enter");
  await next.getByRole("button", { name: "Use as input" }).click();
  await page
    .getByRole("listbox", { name: "Models" })
    .getByRole("option", { name: /Sandbox image/ })
    .click();
  await expect(page.getByRole("list", { name: "image_input" }).getByRole("listitem")).toHaveCount(1);
  await page.goto(`${hub.url}/generations?q=gallery`);
  await expect(tiles).toHaveCount(3);

  await page.getByRole("checkbox", { name: "Select all generations" }).check();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download ZIP" }).click();
  const archive = (await readFile(await (await download).path())).toString("latin1");
  for (const id of [first, second]) expect(archive).toContain(`-for-the-gallery-${id}-1.png`);
  expect(archive.split("PK\x01\x02")).toHaveLength(3);
  await page.getByRole("button", { name: "Cancel 1 generation" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel generation" }).click();
  await expect(page.getByText("Generation canceled.", { exact: true })).toBeVisible();
  await expect(tiles.first()).toContainText("Canceled");

  await page.goto(`${hub.url}/generations/${waiting}`);
  await expect(page.getByRole("button", { name: "Run again · €0.0092" })).toBeVisible();
});
