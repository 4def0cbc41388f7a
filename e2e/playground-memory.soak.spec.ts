import type { Page } from "@playwright/test";
import { expectUsable, press, readClipboard, signInTo } from "./console";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";

const conversation = (page: Page) => page.getByRole("list", { name: "Conversation" }).getByRole("listitem");

test("a link fills the form and runs nothing; a run can be opened again from the strip", async ({
  page,
  hub,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 390, height: 800 });
  await signInTo(page, hub, "/playground");
  const prompt = page.getByLabel("prompt *");
  const words = `a shared pier ${Date.now()}`;
  await prompt.fill(words);
  await page.getByRole("radio", { name: "4:3" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => readClipboard(page)).toMatch(/\/playground\?model=sandbox-image&input=[\w-]+$/);
  const link = await readClipboard(page);
  // On a phone the button stays in view, and the result comes into view.
  const run = page.getByRole("button", { name: "Run · €0.0092" });
  await expect(run).toBeInViewport();
  await run.click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("status").first()).toHaveText("Succeeded", { timeout: 20_000 });
  await expect(result.getByRole("heading", { name: "Result" })).toBeInViewport();

  await prompt.fill("my own words");
  await expect(page.getByLabel("API call in curl")).toContainText("my own words");
  await page.goto(link);
  await expect(prompt).toHaveValue(words);
  await expect(page.getByRole("radio", { name: "4:3" })).toBeChecked();
  await expect(page).toHaveURL(`${hub.url}/playground?model=sandbox-image`);
  await expect(page.getByText("No result yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(prompt).toHaveValue("my own words");

  await page.getByRole("region", { name: "Recent runs" }).getByRole("button", { name: words }).click();
  await result.getByRole("button", { name: "Use this input" }).click();
  await expect(prompt).toHaveValue(words);
  const text = "SELECT count(*)::int AS n FROM generation WHERE input ->> 'prompt' = $1";
  expect(await queryHub(hub.dataDir, text, [words])).toEqual([{ n: 1 }]);
});

test("one prompt runs on two models, side by side", async ({ page, hub }) => {
  await signInTo(page, hub, "/playground");
  await page.getByRole("link", { name: "Compare models" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Compare models" })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /^Sandbox embedding/ })).toHaveCount(0);
  await page.getByLabel("Prompt *").fill("What does a lighthouse see?");
  await page.getByRole("button", { name: /^Run($| · )/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose at least 2 models." })).toBeVisible();
  await page.getByRole("checkbox", { name: /Sandbox text/ }).check();
  await page.getByRole("button", { name: /^Run · up to €0\.0\d+/ }).click();
  for (const name of ["Sandbox image", "Sandbox text"]) {
    const card = page.getByRole("region", { name });
    await expect(card).toContainText(/Charged €0\.0\d+ · [\d.]+ m?s/, { timeout: 20_000 });
  }
  await expect(page.getByRole("region", { name: "Sandbox text" })).toContainText(/first token after [\d.]+ m?s/);
  // A button under the pointer is paler.
  await page.mouse.move(0, 0);
  await expectUsable(page);
});

test("replies are kept only by choice, and deleted with it", async ({ page, hub }) => {
  await signInTo(page, hub, "/settings");
  const card = page.getByRole("region", { name: "Chat replies" });
  await card.getByLabel("Days to keep replies").fill("31");
  await card.getByRole("button", { name: "Keep chat replies" }).click();
  await expect(card.getByRole("alert")).toHaveText("Enter 1 to 30 days.");
  await card.getByLabel("Days to keep replies").fill("3");
  await card.getByRole("button", { name: "Keep chat replies" }).click();
  await expect(card).toContainText("Replies are kept for 3 days");
  await page.goto(`${hub.url}/playground?model=sandbox-text`);
  await page.getByLabel("Message").fill("Which light is kept?");
  await press(page.getByLabel("Message"), "Enter");
  const reply = await conversation(page).nth(1).locator(".markdown").innerText();
  await page.getByRole("link", { name: "Details", exact: true }).click();
  const record = page.getByRole("region", { name: "Reply" });
  await expect(record).toContainText(reply);
  await expect(record).toContainText("Deleted in 2 days");

  await page.goto(`${hub.url}/settings`);
  await card.getByRole("button", { name: "Stop keeping replies" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete replies" }).click();
  await expect(card).toContainText("Chat replies are not stored.");
  await page.goBack();
  await page.reload();
  await expect(record).toContainText("Replies are not stored.");
  await record.getByRole("link", { name: "Keep replies in Settings" }).click();
  await expect(page).toHaveURL(`${hub.url}/settings#replies`);
});
