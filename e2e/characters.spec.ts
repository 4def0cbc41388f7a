import { createApiCaller, dropPictures, uploadPixel } from "./character-steps";
import { expectAccessible, signInTo, signUp } from "./console";
import { expect, test } from "./journey";

const MODEL = "sandbox-trainer";

test("a draft is edited, rejected without credit, and deleted", async ({ page, hub, consoleErrors }) => {
  await signUp(page, hub.url);
  await page.goto(`${hub.url}/characters`);
  await expect(page.getByRole("heading", { name: "No characters yet" })).toBeVisible();
  await page.getByRole("link", { name: "Create character" }).click();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "This field must not be empty." })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await dropPictures(page, ["red", "green"]);
  await page.getByRole("button", { name: "Remove picture 2, green.png" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bob");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create and start" }).click();
  // This account has no credit.
  await expect(page.getByText("Saved as a draft", { exact: false }).first()).toBeVisible();
  const state = page.locator("main").getByRole("status");
  await expect(state).toHaveText("Draft");

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bobby");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Bobby" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete character" }).click();
  await expect(page.getByRole("heading", { name: "No characters yet" })).toBeVisible();
  await page.goto(`${hub.url}/playground?model=sandbox-image`);
  await expect(page.getByText("You don’t have one for this model yet.", { exact: false })).toBeVisible();
  await page.getByRole("link", { name: "Create a character" }).click();
  await expect(page).toHaveURL(`${hub.url}/characters/new`);
  // The browser logs the rejected requests.
  expect(consoleErrors.every((message) => /40[02]/.test(message))).toBe(true);
  consoleErrors.length = 0;
});

test("pictures named by their hash are shown if the account has them", async ({ page, hub, request }) => {
  const { sha256 } = await uploadPixel(request, hub);
  const images = [`sha256:${sha256}`, `sha256:${"ab".repeat(32)}`];
  const character = { name: "By hash", base_model: MODEL, images };
  const { id } = await createApiCaller(request, hub)<{ id: number }>("hub/characters", character);
  await signInTo(page, hub, `/characters/${id}`);
  const pictures = page.getByRole("list", { name: "Pictures" }).getByRole("listitem");
  await expect(pictures).toHaveCount(2);
  const shown = pictures.first().locator("img");
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
  await expect(pictures.last().locator("img")).toHaveCount(0);
  await expect(pictures.first().getByRole("link", { name: "View picture 1, pixel.png" })).toBeVisible();
});

test("a training that has not reported yet is starting, not at 0%", async ({ page, hub, request }) => {
  const callApi = createApiCaller(request, hub);
  const { url } = await uploadPixel(request, hub);
  const character = { name: "Slow", base_model: MODEL, images: [url], trigger_word: "[hang]" };
  const { id } = await callApi<{ id: number }>("hub/characters", character);
  await callApi(`hub/characters/${id}/start`, {});
  await signInTo(page, hub, `/characters/${id}`);
  const training = page.getByRole("region", { name: "Training", exact: true });
  await expect(training).toContainText("Starting…");
  await expect(training).not.toContainText("%");
  const bar = training.getByRole("progressbar", { name: "Progress" });
  await expect(bar).not.toHaveAttribute("aria-valuenow");
  await expect(bar).toHaveAttribute("aria-valuetext", "Starting");
  await page.getByRole("button", { name: "Cancel training" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel training" }).click();
  await expect(page.locator("main").getByRole("status")).toHaveText("Canceled");
});

test("the form of a character and the models have no notes for developers", async ({ page, hub }) => {
  await signInTo(page, hub);
  for (const path of ["/characters/new", "/models", "/models/sandbox-image", "/playground?model=sandbox-trainer"]) {
    await page.goto(hub.url + path);
    await expect(page.getByRole("main")).not.toContainText(/\[(fail|flaky|slow|hang)|SANDBOX_WORKER/);
  }
});
