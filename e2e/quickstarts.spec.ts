import { expectHydrated, readClipboard, signInTo } from "./console";
import { expect, test } from "./journey";

test("a quick start has the reader's address and key, and its links have no key", async ({ page, hub }) => {
  await signInTo(page, hub, "/quickstarts");
  await expectHydrated(page);
  const terminal = page.getByLabel("Terminal", { exact: true });
  await expect(terminal).toContainText(`ANTHROPIC_BASE_URL="${hub.url}"`);
  await expect(terminal).toContainText('ANTHROPIC_AUTH_TOKEN="service_sk_…"');
  const command = page.getByLabel("Terminal, MCP", { exact: true });
  await expect(command).toContainText("/mcp");
  await expect(command).toContainText("Bearer service_sk_…");
  const field = page.getByLabel("Key for the snippets (optional)");
  await field.fill("nothing");
  await expect(page.getByText("Enter an API key, which begins with service_sk_.")).toBeVisible();
  await expect(command).toContainText("Bearer service_sk_…");
  await field.fill(hub.key);
  await expect(command).toContainText(`Bearer ${hub.key}`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy of Terminal", exact: true }).click();
  await expect.poll(() => readClipboard(page)).toBe(await terminal.textContent());

  await page.getByRole("radio", { name: "Claude Code" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { level: 2, name: "Codex" })).toBeVisible();
  await expect(page.getByLabel("~/.codex/config.toml", { exact: true })).toContainText(`base_url = "${hub.url}/v1"`);
  await page.getByRole("radio", { name: "Cursor" }).check();
  await expect(page.getByRole("heading", { level: 2, name: "Cursor" })).toBeVisible();
  await expect(page).toHaveURL(`${hub.url}/quickstarts?program=cursor`);
  await expect(page.getByLabel("~/.cursor/mcp.json", { exact: true })).toContainText(hub.key);
  const href = async (name: string) => page.getByRole("link", { name }).getAttribute("href");
  const config = new URL((await href("Add to Cursor"))!).searchParams.get("config")!;
  expect(Buffer.from(config, "base64").toString()).not.toContain(hub.key);
  await page.getByRole("radio", { name: "VS Code" }).check();
  expect(decodeURIComponent((await href("Install in VS Code"))!)).not.toContain(hub.key);

  await page.getByRole("radio", { name: "Claude Desktop" }).check();
  await page.getByRole("button", { name: "Copy of Remote MCP server URL" }).click();
  await expect.poll(() => readClipboard(page)).toMatch(/^https?:.*\/mcp$/);

  // The key is gone with the page, and never was stored.
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  expect(stored).not.toContain(hub.key);
  await page.reload();
  await expect(page.getByRole("heading", { level: 2, name: "Claude Desktop" })).toBeVisible();
  await expect(field).toHaveValue("");
});

test("the quick starts are found in the menu and by their shortcut", async ({ page, hub }) => {
  await signInTo(page, hub, "/settings");
  await expectHydrated(page);
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Quick starts" }).click();
  await expect(page).toHaveURL(`${hub.url}/quickstarts`);
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(page).toHaveURL(`${hub.url}/settings`);
  await page.keyboard.press("g");
  await page.keyboard.press("q");
  await expect(page).toHaveURL(`${hub.url}/quickstarts`);
});
