import path from "node:path";
import type { Page } from "@playwright/test";
import { closeSecret, expectUsable, fillNewKey, fillSignUp, signInTo, signUp } from "./console";
import { expect, test } from "./journey";
import { openMailbox } from "./mailbox";
import { startHub } from "./server";

const stepsOf = (page: Page) => page.getByRole("region", { name: "First steps" });
const stepOf = (page: Page, title: string) => stepsOf(page).getByRole("listitem").filter({ hasText: title });

test("a new account verifies its address, gets trial credit and does each first step in one click", async ({
  page,
  hub: { receiver },
}) => {
  const mail = await openMailbox();
  const hub = await startHub({
    env: {
      SIGN_UP: "open",
      SIGN_UP_CREDIT: "2.50",
      SMTP_URL: mail.url,
      OUTBOUND_ALLOW_HOSTS: new URL(receiver).host,
      NODE_EXTRA_CA_CERTS: path.resolve(import.meta.dirname, "../test/authority/authority.cert.pem"),
    },
  });
  await fillSignUp(page, hub.url);
  const verification = page.getByRole("region", { name: "Verify your e-mail address" });
  await expect(verification).toContainText("You get €2.50 of trial credit.");
  await expect(stepOf(page, "Run your first generation")).toContainText("Verify your e-mail address to get €2.50.");
  await expect(page.getByText("You have no credit")).toHaveCount(0);
  await expectUsable(page);
  await page.goto(hub.url + (await mail.readLink(/\/overview\?verify=[\w.-]+/)));
  await verification.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("€2.50 of trial credit added.", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${hub.url}/overview`);
  await expect(verification).toHaveCount(0);
  await expect(stepsOf(page)).toContainText("0 of 3 done");

  await stepsOf(page).getByRole("link", { name: "Create key" }).click();
  await fillNewKey(page, "laptop");
  await page.goto(`${hub.url}/overview`);
  await expect(stepOf(page, "Create an API key").getByRole("img", { name: "Done" })).toBeVisible();
  await stepsOf(page).getByRole("link", { name: "Open playground" }).click();
  await expect(page.getByLabel("Prompt")).not.toHaveValue("");
  await page.getByRole("button", { name: /^Run($| · )/ }).click();
  await expect(page.getByRole("region", { name: "Result" })).toContainText("Succeeded");
  await page.goto(`${hub.url}/overview`);
  await expect(stepOf(page, "Run your first generation").getByRole("img", { name: "Done" })).toBeVisible();
  await stepsOf(page).getByRole("link", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(`${receiver}/fine`);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await closeSecret(page);
  await page.goto(`${hub.url}/overview`);
  await expect(stepsOf(page)).toContainText("You’re all set.");
  await expectUsable(page);
  await stepsOf(page).getByRole("button", { name: "Done" }).click();
  await expect(stepsOf(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("region", { name: "Recent generations" })).toBeVisible();
  await expect(stepsOf(page)).toHaveCount(0);
  await page.goto("about:blank");
  await hub.stop();
  mail.close();
});

test("without credit the first steps say what to do, and empty lists show what will appear", async ({ page, hub }) => {
  await signUp(page, hub.url, "/overview");
  await expect(page.getByRole("region", { name: "Needs attention" })).toContainText(
    "You have no credit, so new generations are rejected. Ask your hub’s operator to add some.",
  );
  await expect(stepOf(page, "Run your first generation")).toContainText("Needs credit. Ask your hub’s operator");
  await expect(stepsOf(page).getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("region", { name: "Spend", exact: true })).toHaveCount(0);
  await expectUsable(page);
  await stepsOf(page).getByRole("button", { name: "Hide first steps" }).click();
  await expect(page.getByRole("heading", { name: "No generations yet", level: 3 })).toBeVisible();
  const lists = {
    "/overview": "Open the playground",
    "/generations": "Open the playground",
    "/files": "Open the playground",
    "/keys": "Create key",
    "/webhooks": "Add webhook",
    "/characters": "Create character",
    "/requests": "Quick start",
  };
  for (const [list, action] of Object.entries(lists)) {
    await page.goto(hub.url + list);
    const sample = page.locator("[data-sample]");
    await expect(sample).toContainText("Example");
    await expect(sample).toHaveAttribute("aria-hidden", "true");
    await expect(sample.locator("a, button, input")).toHaveCount(0);
    await expect(page.getByRole("main").getByText(action, { exact: true }).first()).toBeVisible();
    await expectUsable(page);
  }
  await page.goto(`${hub.url}/usage`);
  await expect(page.getByRole("heading", { name: "No usage in this period", level: 2 })).toBeVisible();
  await expectUsable(page);
});

test("on a phone the three balances share a row, and every target is large enough", async ({ browser, hub }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await signUp(page, hub.url, "/overview");
  const names = ["Available", "Reserved", "Balance"];
  const boxes = await Promise.all(
    names.map((name) => page.getByRole("term").getByText(name, { exact: true }).boundingBox()),
  );
  expect(new Set(boxes.map((box) => box!.y)).size).toBe(1);
  const heights = await stepsOf(page)
    .locator("a, button")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(heights).toHaveLength(4);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(`${hub.url}/playground?first`);
  const run = page.getByRole("button", { name: /^Run($| · )/ });
  await expect(run).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await context.close();
});

test("generations are filtered by kind, in the URL and through the API", async ({ page, hub, request }) => {
  const word = `kindred${Date.now().toString(36)}`;
  const headers = { Authorization: `Bearer ${hub.key}` };
  const data = { model: "sandbox-image", input: { prompt: `${word} lighthouse` } };
  expect((await request.post(`${hub.url}/api/v1/hub/generations`, { headers, data })).status()).toBe(202);
  const messages = [{ role: "user", content: `${word} lighthouse` }];
  const chat = await request.post(`${hub.url}/api/v1/hub/chat/completions`, {
    headers,
    data: { model: "sandbox-text", messages },
  });
  expect(chat.status()).toBe(200);
  await signInTo(page, hub, `/generations?q=${word}`);
  const kind = page.getByRole("combobox", { name: "Kind" });
  const rows = page.getByRole("table", { name: "Generations" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await kind.selectOption({ label: "Images" });
  await expect(page).toHaveURL(/kind=image/);
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("sandbox-image");
  await page.reload();
  await expect(kind).toHaveValue("image");
  await kind.selectOption({ label: "Text" });
  await expect(rows.nth(1)).toContainText("sandbox-text");
  await kind.selectOption({ label: "Videos" });
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
  const list = async (kind: string): Promise<unknown> =>
    (await request.get(`${hub.url}/api/v1/hub/generations?q=${word}&kind=${kind}`, { headers })).json();
  expect(await list("text")).toMatchObject({ data: [{ model: "sandbox-text" }] });
  expect(await list("music")).toMatchObject({ errors: { kind: [expect.any(String)] } });
});
