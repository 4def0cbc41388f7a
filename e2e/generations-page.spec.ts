import type { APIRequestContext } from "@playwright/test";
import { expectUsable, signInTo } from "./console";
import { expect, test } from "./journey";

async function create(request: APIRequestContext, hub: { url: string; key: string }, input: object): Promise<string> {
  const reply = await request.post(`${hub.url}/api/v1/hub/generations`, {
    headers: { Authorization: `Bearer ${hub.key}` },
    data: { model: "sandbox-image", input },
  });
  expect(reply.status()).toBe(202);
  return ((await reply.json()) as { id: string }).id;
}

test("the list updates live, keeps its filters in the URL and links to the picture", async ({ page, hub, request }) => {
  await create(request, hub, { prompt: "[fail] a list of failures" });
  await create(request, hub, { prompt: "[slow:3] a list that moves" });
  await signInTo(page, hub, "/generations");
  const row = page.getByRole("row", { name: /a list that moves/ });
  await expect(row).toContainText("Succeeded", { timeout: 20_000 });
  await expect(row).toContainText("€0.0092");

  await page.getByLabel("Status").selectOption("Failed");
  await expect(page).toHaveURL(`${hub.url}/generations?status=failed`);
  await expect(row).toHaveCount(0);
  const failed = page.getByRole("row", { name: /a list of failures/ });
  await expect(failed).toContainText("Failed");
  const desktop = page.viewportSize()!;
  for (const width of [390, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(failed.getByText("The prompt says [fail].").filter({ visible: true })).toBeVisible();
  }
  await page.setViewportSize(desktop);
  await page.reload();
  await expect(page.getByLabel("Status")).toHaveValue("failed");
  await page.getByRole("link", { name: /a list of failures/ }).click();
  await expect(page.getByRole("region", { name: "Error" })).toContainText("provider_error");
  const steps = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
  const colourOf = (step: string) =>
    steps.filter({ hasText: step }).evaluate((one) => getComputedStyle(one.firstElementChild!).backgroundColor);
  await expect(page.getByRole("region", { name: "Error" })).toHaveCSS("color", await colourOf("Failed"));
  expect(await colourOf("Accepted")).not.toBe(await colourOf("Failed"));
  await page.setViewportSize({ width: 1_280, height: 800 });
  const attempts = page.getByRole("table", { name: "Provider attempts" });
  const isClipped = () => attempts.evaluate((one) => one.scrollWidth > one.parentElement!.clientWidth);
  await expect(attempts).toBeVisible();
  expect(await isClipped()).toBe(false);
  await page.setViewportSize(desktop);
  await page.goBack();
  await expect(page).toHaveURL(`${hub.url}/generations?status=failed`);
  await page.getByLabel("Status").selectOption("Any");
  await row.getByRole("link").click();

  const picture = page.getByRole("img", { name: "Output 1" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expect(page.getByRole("region", { name: "Cost" })).toContainText(
    "$0.01 × 0.92 €/$ = €0.0092, for resolution 1k.",
  );
  await expect(page.getByRole("region", { name: "Attempts", exact: true })).toContainText("sandbox:sandbox-image");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download output 1, image/png" }).click();
  expect((await (await download).path()).length).toBeGreaterThan(0);

  const before = page.url();
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByText("Started a new generation with the same input.", { exact: true })).toBeVisible();
  await expect(page).not.toHaveURL(before);
  await expect(page.getByRole("region", { name: "Input" })).toContainText("[slow:3] a list that moves");
});

test("a generation that waits for a file can be canceled", async ({ page, hub, request }) => {
  const sha256 = "0123456789abcdef".repeat(4);
  const id = await create(request, hub, { prompt: "a picture of mine", image_input: [`sha256:${sha256}`] });
  await signInTo(page, hub, `/generations/${id}`);
  await expect(page.getByRole("region", { name: "Missing files" })).toContainText(sha256);
  const state = page.getByRole("main").getByRole("status");
  await expect(state).toHaveText("Awaiting files");
  await page.getByRole("button", { name: "Cancel generation" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Cancel", exact: true })).toBeFocused();
  await question.getByRole("button", { name: "Cancel generation" }).click();
  await expect(state).toHaveText("Canceled");
  await expect(page.getByRole("button", { name: "Cancel generation" })).toHaveCount(0);
});

test("another account's generation and a missing one both show the 404 page", async ({ page, hub, consoleErrors }) => {
  await signInTo(page, hub);
  expect((await page.goto(`${hub.url}/generations/none`))!.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  // The browser logs the missing page.
  expect(consoleErrors.filter((message) => !/404/.test(message))).toEqual([]);
  consoleErrors.length = 0;
});

test("Requests follows generations and rejected requests, with timings, and opens inputs that still exist", async ({
  page,
  hub,
  request,
}) => {
  const headers = { Authorization: `Bearer ${hub.key}` };
  await signInTo(page, hub, "/requests");
  const failing = await create(request, hub, { prompt: "[fail] a request of the list" });
  const rejected = { model: "no-such-model", input: {} };
  expect((await request.post(`${hub.url}/api/v1/hub/generations`, { headers, data: rejected })).status()).toBe(404);
  // Both appear without a reload: the one by the stream, the other by the next poll.
  const table = page.getByRole("table", { name: "Requests" });
  const failed = table.getByRole("row").filter({ has: page.locator(`a[href="/generations/${failing}"]`) });
  await expect(failed).toContainText("The prompt says [fail].", { timeout: 20_000 });
  await expect(table.getByRole("row", { name: /Model not found/ }).first()).toContainText("Rejected", {
    timeout: 20_000,
  });
  await page.getByRole("radio", { name: "Generations" }).check();
  await expect(page).toHaveURL(`${hub.url}/requests?show=generations`);
  await expect(table.getByText("Rejected")).toHaveCount(0);

  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(failed.getByText("Failed").filter({ visible: true })).toBeVisible();
    expect(await table.evaluate((one) => one.scrollWidth <= one.parentElement!.clientWidth)).toBe(true);
  }
  await failed.getByRole("button", { name: "Details of sandbox-image" }).click();
  const durations = page.getByLabel("Durations");
  await expect(durations).toContainText(/Queued\d.*Provider\d.*Total\d/);
  await expect(table).toContainText("sandbox:sandbox-image");
  const advice = table.getByText(/Retrying with the same input/);
  expect(await advice.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await expectUsable(page);
  const link = table.getByRole("link", { name: "Open in playground" });
  await expect(link).toHaveAttribute("href", `/playground?generation=${failing}`);
  await table.getByRole("link", { name: "View generation" }).click();

  await expect(page.getByRole("region", { name: "Timeline" }).getByLabel("Durations")).toContainText(/Total\d/);
  await page.getByRole("button", { name: "Erase content" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Erase content" }).click();
  const button = page.getByRole("button", { name: "Open in playground" });
  await expect(button).toBeDisabled();
  await expect(button).toHaveAccessibleDescription("Its input was erased.");
});
