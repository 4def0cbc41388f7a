import {
  closeSecret,
  createKey,
  expectAccessible,
  expectHydrated,
  fillNewKey,
  requestKey,
  signInTo,
  signUp,
} from "./console";
import { expect, test } from "./journey";

test("a new account creates, uses and revokes a key", async ({ page, hub, request }) => {
  await signUp(page, hub.url, "/overview");
  await page.getByRole("region", { name: "First steps" }).getByRole("link", { name: "Create key" }).click();
  await expect(page).toHaveURL(`${hub.url}/keys?new`);
  const secret = await fillNewKey(page, "laptop");
  await expect(page).toHaveURL(`${hub.url}/keys`);
  await expect(page.getByText(secret)).toHaveCount(0);

  const me = () => request.get(`${hub.url}/api/v1/me`, { headers: { Authorization: `Bearer ${secret}` } });
  expect(await (await me()).json()).toMatchObject({ balance: 0, key: { name: "laptop", prefix: secret.slice(0, 17) } });
  await page.reload();
  const row = page.getByRole("row", { name: /laptop/ });
  await expect(row).toContainText("just now");

  await row.getByRole("button", { name: "Revoke laptop" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await question.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("Key revoked.", { exact: true })).toBeVisible();
  expect((await me()).status()).toBe(401);
  await page.getByRole("combobox", { name: "Status" }).selectOption("Revoked (1)");
  await expect(page.getByRole("row", { name: /laptop/ })).toContainText("Revoked");
});

test("a key with a spend limit shows its spend", async ({ page, hub, request }) => {
  await signInTo(page, hub, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("limited");
  await dialog.getByLabel("Spend limit (EUR)").fill("0.01");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const headers = { Authorization: `Bearer ${await dialog.getByLabel("New key").textContent()}` };
  await closeSecret(page);
  const create = () =>
    request.post(`${hub.url}/api/v1/hub/generations`, {
      headers,
      data: { model: "sandbox-image", input: { prompt: "a pier" } },
    });
  expect((await create()).status()).toBe(202);
  expect((await create()).status()).toBe(402);
  await page.reload();
  const row = page.getByRole("row", { name: /limited/ });
  await expect(row).toContainText("€0.0092 of €0.01");
  await expect(row.getByRole("meter", { name: "Spent this month" })).toHaveAttribute("aria-valuenow", "92");
});

for (const theme of ["light", "dark"] as const) {
  test(`the ${theme} theme overrides the system's from the first paint`, async ({ page, hub }) => {
    await page.emulateMedia({ colorScheme: theme === "dark" ? "light" : "dark", reducedMotion: "reduce" });
    await signUp(page, hub.url, "/overview");
    await page.getByRole("radio", { name: theme === "dark" ? "Dark" : "Light" }).click();
    await page.goto(`${hub.url}/keys`);
    // The server rendered the theme.
    expect(await page.locator("html").getAttribute("data-theme")).toBe(theme);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(Number(/\d+/.exec(paper)![0]) > 127).toBe(theme === "light");
    await page.getByRole("button", { name: "Create key" }).first().click();
    await expectAccessible(page);
  });
}

test("a phone shows the navigation in a sheet and never scrolls sideways", async ({ page, hub }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  await signUp(page, hub.url, "/overview");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "API keys" }).click();
  await expect(page).toHaveURL(`${hub.url}/keys`);
  await createKey(page, "a key with quite a long name, as people give");
  await expect(page.getByRole("button", { name: /^Revoke/ })).toBeInViewport();
});

test("the keyboard reaches the content first, and the policy blocks foreign scripts", async ({ page, hub }) => {
  await signUp(page, hub.url);
  const response = await page.goto(`${hub.url}/keys`);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${hub.url}/keys#main`);
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "quick start", exact: true })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused();

  const policy = response!.headers()["content-security-policy"]!;
  const scripts = /script-src ([^;]+)/.exec(policy)![1]!;
  expect(scripts).toMatch(/'nonce-\w{32}'/);
  expect(scripts).not.toContain("unsafe");
  const again = (await page.request.get(`${hub.url}/keys`)).headers()["content-security-policy"];
  expect(again).not.toBe(policy);
});

test("the first paint contains the data", async ({ page, hub, request }) => {
  await signUp(page, hub.url);
  await requestKey(page, hub.url, "painted by the server");
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const html = await (await request.get(`${hub.url}/keys`, { headers: { cookie } })).text();
  expect(html).toContain("painted by the server</a>");
  // The markup is in place, not in a part that a script inserts later.
  expect(html).not.toContain("<div hidden id=");
  // Styles are for the first paint, and once more in the data for hydration.
  expect(html.match(/@layer properties/g)).toHaveLength(2);
});

test("a slow navigation shows a skeleton, and nothing is prefetched", async ({ page, hub }) => {
  await signUp(page, hub.url, "/overview");
  const fetched: string[] = [];
  const held: (() => void)[] = [];
  await page.route(/_rsc=/, async (route) => {
    fetched.push(new URL(route.request().url()).pathname);
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  const main = page.getByRole("main");
  await expectHydrated(page);
  await page.getByRole("link", { name: "Balance", exact: true }).click();
  await expect(main.getByRole("status", { name: "Loading" })).toBeVisible();
  await expect(main).toHaveAttribute("aria-busy", "true");
  await expect(main.getByRole("heading", { name: "Overview" })).toBeHidden();
  held.shift()!();
  await expect(main.getByRole("heading", { name: "Balance" })).toBeVisible();
  await expect(main).toHaveAttribute("aria-busy", "false");
  await expect(main.getByRole("status", { name: "Loading" })).toHaveCount(0);
  expect(fetched).toEqual(["/balance"]);
});
