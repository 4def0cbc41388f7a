import type { Page, Route } from "@playwright/test";
import { toLabelWords } from "../server/domain/generations/search/label-words";
import { collectWords } from "../server/domain/generations/search/search-words";
import { expectAccessible, expectHydrated, type Person, signUp } from "./console";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";

const COUNT = 10_000;
const insertSql = `
  WITH made AS (
    SELECT n, (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - $2::int + n), 12, '0') || '7000-8000-' || lpad(to_hex(id), 12, '0'))::uuid AS id,
           id AS account_id, CASE n WHEN 4711 THEN 'A narwhal in the harbour' ELSE 'A boat, number ' || n END AS prompt, now() AS t
    FROM account, generate_series(1, $2::int) n WHERE email = $1
  ), generations AS (
    INSERT INTO generation (id, account_id, model, is_llm, status, input, metadata, estimated_cost, billed_cost, price, provider,
                            progress, timeout_seconds, created_at, started_at, completed_at, settled_at)
    SELECT id, account_id, 'sandbox-image', false, 'succeeded', jsonb_build_object('prompt', prompt),
           CASE n WHEN 4711 THEN '{"team": "blue"}'::jsonb END, 0, 0, '{}', 'sandbox', 1, 60, t, t, t, t FROM made
  )
  SELECT id, account_id, prompt FROM made ORDER BY n`;

/** Gives an account 10,000 generations, of which one shows a narwhal for the team blue, and returns its id. */
async function seedGenerations(dataDir: string, { email }: Person): Promise<string> {
  const made = await queryHub<{ id: string; account_id: number; prompt: string }>(dataDir, insertSql, [email, COUNT]);
  const entries = made.map(({ id, account_id, prompt }) => {
    const metadata = prompt.includes("narwhal") ? { team: "blue" } : null;
    const pairs = toLabelWords({ account_id, metadata, created_at: new Date() });
    return { id, words: [...collectWords(account_id, { prompt }), ...pairs] };
  });
  await queryHub(
    dataDir,
    `INSERT INTO generation_words SELECT id, array_to_tsvector(words) FROM json_to_recordset($1::json) AS row (id uuid, words text[])`,
    [JSON.stringify(entries)],
  );
  return made.find(({ prompt }) => prompt.includes("narwhal"))!.id;
}

const rows = (page: Page) => page.getByRole("table", { name: "Generations" }).getByRole("link");
const search = (page: Page) => page.getByRole("searchbox", { name: "Search generations" });

test("one generation among 10,000 is found by a word of its prompt, and by its id", async ({ page, hub }) => {
  const person = await signUp(page, hub.url);
  const id = await seedGenerations(hub.dataDir, person);
  await page.goto(`${hub.url}/generations`);
  await expectHydrated(page);
  await expect(rows(page)).toHaveCount(20);
  await page.keyboard.press("/");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("narwhal");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(`${hub.url}/generations?q=narwhal`);
  await rows(page).click();
  await expect(page).toHaveURL(`${hub.url}/generations/${id}`);
  await page.goBack();
  await expect(search(page)).toHaveValue("narwhal");
  await expect(rows(page)).toHaveCount(1);

  await search(page).fill("gm?/ nothing of this");
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(rows(page)).toHaveCount(20);
  await expect(search(page)).toHaveValue("");
  await page.getByRole("searchbox", { name: "Metadata" }).fill("team=blue");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(`${hub.url}/generations?metadata=team%3Dblue`);
  await rows(page).click();
  await page.getByRole("region", { name: "Labels" }).getByRole("link", { name: "blue" }).click();
  await expect(page).toHaveURL(`${hub.url}/generations?metadata=team%3Dblue`);
  await page.getByRole("searchbox", { name: "Metadata" }).fill("");
  await expect(rows(page)).toHaveCount(20);
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel("Dates").selectOption("Today");
  await expect(page).toHaveURL(`${hub.url}/generations?from=${today}`);
  await page.reload();
  await expect(page.getByLabel("Dates")).toHaveValue("Today");
  await page.getByLabel("Dates").selectOption("Custom");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
  await search(page).fill(` ${id.toUpperCase()}`);
  await expect(page).toHaveURL(`${hub.url}/generations/${id}`);
});

test("going back from a record returns to the page of the list and its place", async ({ page, hub }) => {
  await seedGenerations(hub.dataDir, await signUp(page, hub.url));
  await page.setViewportSize({ width: 1024, height: 500 });
  await page.goto(`${hub.url}/generations`);
  let showPage = () => {};
  const isShown = new Promise<void>((resolve) => (showPage = resolve));
  const holdList = (route: Route) => isShown.then(() => route.continue());
  await page.route("**/generations.list*", holdList);
  await page.getByRole("button", { name: "Older" }).click();
  await expect(page.getByRole("button", { name: "Newer" })).toBeEnabled();
  // A second press while the page loads does not count.
  await page.getByRole("button", { name: "Older" }).click();
  showPage();
  await expect(rows(page).first()).toContainText("number 9980");
  await page.unroute("**/generations.list*", holdList);
  await page.getByRole("button", { name: "Older" }).click();
  const row = rows(page).nth(17);
  await expect(row).toContainText("number 9943");
  await row.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(100);
  await row.click();
  await expect(page.getByRole("region", { name: "Timeline" })).toBeVisible();
  await page.goBack();
  await expect(row).toContainText("number 9943");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
  await page.reload();
  await expect(row).toContainText("number 9943");
  await page.getByRole("button", { name: "Newer" }).click();
  await expect(rows(page).first()).toContainText("number 9980");
  await page.getByRole("button", { name: "Newer" }).click();
  await expect(rows(page).first()).toContainText("number 10000");
  await page.goBack();
  await expect(rows(page).first()).toContainText("number 9980");
  await page.getByLabel("Status").selectOption("Succeeded");
  await expect(rows(page).first()).toContainText("number 10000");
  await page.goto(`${hub.url}/generations?cursor=changed`);
  await expect(rows(page).first()).toContainText("number 10000");
});

test("the palette and the shortcuts open everything without a mouse", async ({ page, hub }) => {
  const person = await signUp(page, hub.url);
  const id = await seedGenerations(hub.dataDir, person);
  await page.goto(`${hub.url}/settings`);
  await expectHydrated(page);
  const field = page.getByRole("combobox", { name: "Search pages" });
  const option = (name: string | RegExp) => page.getByRole("option", { name });
  await page.keyboard.press("Control+K");
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("narw");
  await expect(option(/A narwhal/)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${hub.url}/generations/${id}`);

  await page.keyboard.press("Control+K");
  await page.keyboard.type("failed");
  await expect(option("View failed generations")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(option(/Search generations/)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${hub.url}/generations?status=failed`);

  for (const [text, name] of [
    ["invite", "Invite a member"],
    ["add credit", "Add credit"],
    ["documentation", "Open documentation"],
  ] as const) {
    await page.keyboard.press("Control+K");
    await page.keyboard.type(text);
    await expect(page.getByRole("option", { name, exact: true })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Escape");
  }

  await page.keyboard.press("Control+K");
  await page.keyboard.type("dark theme");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("radio", { name: "Dark" }).first()).toBeChecked();

  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(list).toContainText("Go to Models");
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(list).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(page).toHaveURL(`${hub.url}/models`);

  await page.keyboard.press("?");
  await list.getByLabel("Single-key shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.keyboard.press("Control+K");
  await expect(field).toBeFocused();
  await expect(list).toHaveCount(0);
});
