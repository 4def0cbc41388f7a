import type { Page } from "@playwright/test";
import { signInTo } from "./console";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";

const conversation = (page: Page) => page.getByRole("list", { name: "Conversation" }).getByRole("listitem");
const openPage = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name, exact: true }).first().click();

test("a draft survives reload, navigation and the chat tab, and ends with the session", async ({ page, hub }) => {
  await signInTo(page, hub, "/playground");
  const prompt = page.getByLabel("prompt *");
  await prompt.fill("a draft that stays");
  await page.getByRole("radio", { name: "16:9" }).click();
  const expectKept = async () => {
    await expect(prompt).toHaveValue("a draft that stays");
    await expect(page.getByRole("radio", { name: "16:9" })).toBeChecked();
  };
  await page.reload();
  await expectKept();
  await openPage(page, "Models");
  await expect(page.getByRole("heading", { level: 1, name: "Models" })).toBeVisible();
  await openPage(page, "Playground");
  await expectKept();
  await page.getByRole("radio", { name: "Chat" }).click();
  await page.getByLabel("Message").fill("half a question");
  await page.getByRole("radio", { name: "Generate" }).click();
  await expectKept();
  await page.getByRole("radio", { name: "Chat" }).click();
  await expect(page.getByLabel("Message")).toHaveValue("half a question");
  // The server renders the model that was used last.
  await page.goto(`${hub.url}/playground`);
  await expect(page.getByLabel("Message")).toHaveValue("half a question");
  // Its price has arrived: a request that is under way at the end of the session would fail.
  await expect(page.getByRole("button", { name: /^Send · up to €/ })).toBeVisible();
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(page).toHaveURL(`${hub.url}/sign-in`);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test("a chat stays in the browser, and can be stopped, edited, regenerated, renamed and deleted", async ({
  page,
  hub,
  consoleErrors,
}) => {
  await signInTo(page, hub, "/playground?model=sandbox-text");
  const messages = conversation(page);
  const chats = page.getByRole("region", { name: "Chats in this browser" });
  // The first word arrives long before the end.
  await page.getByLabel("Message").fill("[slow:20] What does a pier hear?");
  await page.getByRole("button", { name: /^Send · up to €/ }).click();
  await expect(page.getByRole("region", { name: "Chat history" })).toContainText("say:");
  await page.reload();
  await expect(messages).toHaveCount(1);
  // The hub ends a reply that nobody reads any more; its beginning is charged once.
  await page.getByRole("button", { name: "Get the reply" }).click();
  await expect(messages.nth(1)).toContainText("Cut off: it reached the maximum length, or was stopped.");
  await expect(messages.nth(1)).toContainText(/€0\.0\d+ · \d+ tokens in · \d+ out/);
  const text =
    "SELECT count(*)::int AS n FROM generation WHERE is_llm AND input::text LIKE '%[slow:20] What does a pier hear?%'";
  expect(await queryHub(hub.dataDir, text)).toEqual([{ n: 1 }]);
  expect(consoleErrors.every((message) => /503/.test(message))).toBe(true);
  consoleErrors.length = 0;
  await page.reload();
  await expect(messages).toHaveCount(2);
  await expect(page.getByText("Reply complete")).toHaveCount(1);

  await messages
    .nth(1)
    .getByRole("button", { name: /^Regenerate/ })
    .click();
  await expect(page.getByRole("region", { name: "Chat history" })).toContainText("say:");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(messages.nth(1)).toContainText("Stopped.");
  await expect(messages.nth(1)).toContainText(/€0\.0\d+/);
  expect(consoleErrors.every((message) => /503/.test(message))).toBe(true);
  consoleErrors.length = 0;

  await messages.first().getByRole("button", { name: "Edit message" }).click();
  await page.getByLabel("Edit message").fill("And at night?");
  await page.getByRole("button", { name: /^Resend · up to €/ }).click();
  await expect(messages.first()).toContainText("And at night?");
  await expect(messages.nth(1)).toContainText("tokens in");
  await messages
    .nth(1)
    .getByRole("button", { name: /^Regenerate · up to €/ })
    .click();
  await expect(messages.nth(1)).toContainText("tokens in");
  await expect(chats.getByRole("listitem")).toHaveCount(4);

  await chats.getByRole("button", { name: "Rename [slow:20]" }).last().click();
  await page.getByRole("dialog").getByLabel("Title").fill("By the sea");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await chats.getByRole("button", { name: /^By the sea/ }).click();
  await expect(messages.first()).toContainText("What does a pier hear?");
  await chats.getByRole("button", { name: "Delete By the sea" }).click();
  await expect(messages).toHaveCount(0);
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.click();
  await expect(chats.getByRole("listitem")).toHaveCount(4);
  await expect(undo).toHaveCount(0);
  // Each undo restores one chat, and leaves the others as they are.
  for (const left of [3, 2]) {
    await chats
      .getByRole("button", { name: /^Delete / })
      .first()
      .click();
    await expect(chats.getByRole("listitem")).toHaveCount(left);
  }
  for (const left of [3, 4]) {
    await undo.first().click();
    await expect(chats.getByRole("listitem")).toHaveCount(left);
  }
});

test("a run without a network fails at once and never starts", async ({ page, hub, context, consoleErrors }) => {
  await signInTo(page, hub, "/playground");
  const prompt = `an offline pier ${Date.now()}`;
  await page.getByLabel("prompt *").fill(prompt);
  const desktop = { width: 1_280, height: 800 };
  await page.setViewportSize(desktop);
  const run = page.getByRole("button", { name: /^Run($| · )/ });
  await expect(run).toBeInViewport({ ratio: 1 });
  await page.getByRole("main").focus();
  let tabs = 0;
  for (; tabs < 30 && !(await run.evaluate((one) => one === document.activeElement)); tabs += 1)
    await page.keyboard.press("Tab");
  expect(tabs).toBeLessThan(25);
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await page.keyboard.press("Control+k");
  await expect(palette).toBeVisible();
  await page.keyboard.press("Escape");
  await context.setOffline(true);
  await page.getByLabel("prompt *").press("Control+Enter");
  const alert = page.getByRole("alert").filter({ hasText: "You are offline." });
  const result = page.getByRole("region", { name: "Not started" });
  await expect(result).toContainText("You are offline.");
  for (const size of [{ width: 390, height: 844 }, desktop]) {
    await page.setViewportSize(size);
    await expect(alert).toBeInViewport({ ratio: 1 });
    await expect(run).toBeInViewport({ ratio: 1 });
  }
  await page.getByRole("link", { name: "Models", exact: true }).first().click();
  await expect(page.getByText("You are offline. This page stays until the network is back.").first()).toBeVisible();
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("Webhooks");
  await page.keyboard.press("Enter");
  await expect(palette).toHaveCount(0);
  await page.getByRole("main").focus();
  for (const key of ["g", "k", "?"]) await page.keyboard.press(key);
  await expect(page.getByRole("alert").filter({ hasText: "Part of this page couldn’t be loaded." })).toBeVisible();
  await expect(page.getByLabel("prompt *")).toHaveValue(prompt);
  await context.setOffline(false);
  const isPriced = page.waitForResponse((response) => response.url().includes("models.price"));
  await page.getByRole("radio", { name: "2k" }).click();
  await isPriced;
  const text = "SELECT count(*)::int AS n FROM generation WHERE input ->> 'prompt' = $1";
  expect(await queryHub(hub.dataDir, text, [prompt])).toEqual([{ n: 0 }]);
  consoleErrors.length = 0;
});
