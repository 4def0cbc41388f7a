import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectUsable, requestKey, signInTo, signUp } from "./console";
import { grantCredit } from "./grants";
import { expect, test } from "./journey";
import { seedOutputs, storeFirstOf } from "./seed-outputs";

let seeded: ReturnType<typeof seedOwnAccount> | undefined;

/** Seeds an account of its own: seeding replaces files, which other journeys would miss on pages of the demo account. */
async function seedOwnAccount(page: Page, hub: { url: string; dataDir: string }) {
  const demo = await signUp(page, hub.url);
  await grantCredit(hub, demo.email, 5);
  const { key } = await requestKey(page, hub.url, "seeding");
  const own = { ...hub, demo, key };
  return { own, ...(await seedOutputs(own)) };
}

const phone = { width: 390, height: 844 };
const columnsOf = (list: Locator) =>
  list.evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(" ").length);
const readyState = (player: Locator) => player.evaluate((element: HTMLMediaElement) => element.readyState);
const currentTime = (player: Locator) => player.evaluate((element: HTMLMediaElement) => element.currentTime);

async function expectPlayers(page: Page): Promise<void> {
  const outputs = page.getByRole("list", { name: "Outputs" });
  await expect(outputs.getByRole("listitem")).toHaveCount(6);
  for (const player of [outputs.locator("video"), outputs.locator("audio")]) {
    await expect(player).toHaveAttribute("preload", "metadata");
    await expect.poll(() => readyState(player)).toBeGreaterThan(0);
  }
  for (const picture of await outputs.getByRole("img").all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
  }
}

test("pictures, a video and an audio show in a grid with players", async ({ page, hub }) => {
  const { own, mixed } = await (seeded ??= seedOwnAccount(page, hub));
  const ranges: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "media") ranges.push(request.headers().range);
  });
  await signInTo(page, own, `/generations/${mixed}`);
  await expectPlayers(page);
  const outputs = page.getByRole("list", { name: "Outputs" });
  expect(await columnsOf(outputs)).toBe(3);
  expect(ranges.length).toBeGreaterThanOrEqual(2);
  expect(ranges.every((range) => range?.startsWith("bytes="))).toBe(true);
  const video = outputs.locator("video");
  await expect(video).toHaveAttribute("aria-label", "Output 1, video");
  const { width, height } = (await video.boundingBox())!;
  expect(width / height).toBeCloseTo(16 / 9, 1);

  await video.focus();
  await page.keyboard.press("Space");
  await expect.poll(() => currentTime(video)).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Download output 2, audio/wav" }).focus();
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/\.wav$/);
  await expectUsable(page);

  await page.setViewportSize(phone);
  await expectPlayers(page);
  expect(await columnsOf(outputs)).toBe(2);
  const tiles = await outputs.getByRole("listitem").all();
  const widths = await Promise.all(tiles.map(async (tile) => (await tile.boundingBox())!.width));
  expect(widths[0]).toBeGreaterThan(2 * widths[2]!);
});

test("texts show an excerpt, and files that cannot be shown say why", async ({ page, hub, request, consoleErrors }) => {
  const { own, texts, single } = await (seeded ??= seedOwnAccount(page, hub));
  const lengths: number[] = [];
  page.on("response", (response) => {
    const request = response.request();
    if (request.resourceType() === "fetch" && request.method() === "GET" && request.url().includes("/files/"))
      lengths.push(Number(response.headers()["content-length"]));
  });
  await signInTo(page, own, `/generations/${texts}`);
  const outputs = page.getByRole("list", { name: "Outputs" });
  await expect(outputs.getByLabel("Output 1, text", { exact: true })).toContainText("The lamp is lit at dusk.");
  await expect(outputs).toContainText("The first 16 KiB of 24 KiB.");
  await expect(outputs.getByLabel("Output 2, text", { exact: true })).toHaveText(
    '{ "text": "The lamp is lit.", "seconds": 3 }',
  );
  expect(lengths).toHaveLength(2);
  expect(Math.max(...lengths)).toBe(16 * 1024);
  await expect(page.getByRole("link", { name: "Download output 4, application/zip" })).toBeVisible();
  await expect(outputs.getByRole("listitem").last()).toContainText("Your browser can’t show this file.");
  await expect(page.getByRole("link", { name: "Download output 5, video/mp4" })).toBeVisible();

  const headers = { Authorization: `Bearer ${own.key}` };
  const path = `/generations/${single}`;
  const reply = await request.get(`${hub.url}/api/v1/hub${path}`, { headers });
  const [film] = ((await reply.json()) as { outputs: { url: string }[] }).outputs;
  expect((await request.delete(film!.url, { headers })).status()).toBe(204);
  await page.goto(hub.url + path);
  await expect(page.getByText("This file is no longer available.")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Download/ })).toHaveCount(0);
  // The browser logs the missing file.
  expect(consoleErrors.every((message) => /410/.test(message))).toBe(true);
  consoleErrors.length = 0;
});

test("a refused generation says what to do, and a waiting one its place in the queue", async ({ page, hub }) => {
  const { own, refused, lost, waiting } = await (seeded ??= seedOwnAccount(page, hub));
  await signInTo(page, own, `/generations/${refused}`);
  const error = page.getByRole("region", { name: "Error" });
  await expect(error).toContainText("The provider’s safety rules refused this.");
  await expect(error).toContainText(
    "You were not charged. Retrying with the same input won’t help: change the prompt or the files.",
  );
  await expectAccessible(page);
  await page.goto(`${hub.url}/generations/${lost}`);
  await expect(error).toContainText("It is unknown whether the provider did the work.You were not charged.");
  await expect(page.getByRole("region", { name: "Attempts", exact: true })).toContainText("Unknown");
  await page.goto(`${hub.url}/generations/${waiting}`);
  await expect(page.getByText("3 ahead in the provider’s queue.")).toBeVisible();
  await expect(page.getByText("The output will appear here.")).toBeVisible();
  await storeFirstOf(hub, waiting, 3);
  await page.reload();
  const soFar = page.getByRole("list", { name: "Outputs so far" }).getByRole("listitem");
  await expect(soFar).toHaveText(["Output 1 is readyimage/png · 700 bytes", "Output 2", "Output 3"]);
  await expect(page.getByText("1 of 3 ready.")).toBeVisible();
  await expectUsable(page);
});

test("an example fills the playground and runs", async ({ page, hub }) => {
  await signInTo(page, hub, "/models/sandbox-image");
  await expect(page.getByLabel("Upload an input file in curl")).toContainText("file=@input.png");
  await expect(page.getByLabel("Download the outputs in curl")).toContainText("output-1.png");
  await page.getByRole("link", { name: "Try example 2" }).click();
  const form = page.getByRole("region", { name: "Input" });
  await expect(form.getByLabel("prompt *")).toHaveValue("A harbour full of small boats");
  await expect(form.getByRole("radio", { name: "4:3" })).toBeChecked();
  await form.getByRole("button", { name: "Try an example" }).click();
  await expect(form.getByLabel("prompt *")).toHaveValue("A lighthouse at dawn, seen from the water");
  await form.getByRole("button", { name: /^Run($| · )/ }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("img", { name: "Output 1" })).toBeVisible();
  await expect(result.getByRole("status").first()).toHaveText("Succeeded");
  await expect(form.getByRole("button", { name: "Try another example" })).toBeVisible();
});

test("archives hold only the account's own outputs, and a bounded number", async ({ page, hub }) => {
  await signInTo(page, hub);
  const status = async (ids: string) =>
    (await page.request.get(`${hub.url}/generations/download?ids=${ids}`, { maxRedirects: 0 })).status();
  const other = "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10";
  expect(await status(other)).toBe(404);
  for (const ids of ["", "none", `${other},`, Array(101).fill(other).join(",")]) expect(await status(ids)).toBe(400);
  await page.context().clearCookies();
  expect(await status(other)).toBe(307);
});
