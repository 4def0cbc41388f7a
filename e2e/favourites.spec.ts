import type { Locator } from "@playwright/test";
import { expectAccessible } from "./console";
import { expect, test } from "./journey";
import { makePicture } from "./make-picture";
import { queryHub } from "./query-hub";

const insertNewerSql = `
  INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                          progress, timeout_seconds, created_at, started_at, completed_at, settled_at)
  SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint + n), 12, '0') || '7000-8000-' || lpad(to_hex(account_id), 12, '0'))::uuid,
         account_id, model, false, 'succeeded', '{"prompt":"newer"}', 0, 0, '{}', 'sandbox', 1, 60, now(), now(), now(), now()
  FROM generation, generate_series(1, 20) n WHERE id = $1 RETURNING id`;

/** Clicks a star, which changes at once, and waits until the hub has stored it, so that the journey may leave the page. */
async function toggleStar(star: Locator): Promise<void> {
  const stored = star.page().waitForResponse(/collections\.setItems/);
  await star.click();
  await stored;
}

test("a result leads to another seed, to variations, to the favourites and into a collection", async ({
  page,
  hub,
}) => {
  const result = await makePicture(page, hub, "keeper", "a harbour at noon");
  const details = result.getByRole("link", { name: "View details" });
  const first = (await details.getAttribute("href"))!;
  await toggleStar(result.getByRole("button", { name: "Favourite: sandbox-image" }));

  // Its own price is on the button, and it replaces the result without leaving the page.
  const another = result.getByRole("button", { name: /^Another .*€0\.0092$/ });
  await another.click();
  await expect(details).not.toHaveAttribute("href", first);
  await expect(result.getByRole("status").first()).toHaveText("Succeeded", { timeout: 20_000 });
  await expectAccessible(page);
  await result.getByRole("button", { name: /^4 variations .*€0\.0368$/ }).click();
  await expect(page.getByRole("link", { name: "View batch" })).toBeVisible({ timeout: 20_000 });

  await page.goto(`${hub.url}/generations?view=grid`);
  await page.getByRole("radio", { name: "Favourites" }).click();
  const tiles = page.getByRole("list", { name: "Generations" }).getByRole("listitem");
  await expect(tiles).toHaveCount(1);
  await expect(tiles.getByRole("link")).toHaveAttribute("href", first);
  await expectAccessible(page);
  await tiles.getByRole("link").click();
  const lightbox = page.getByRole("dialog", { name: "a harbour at noon" });
  await lightbox.getByRole("button", { name: "Add to collection" }).click();
  const collecting = page.getByRole("dialog", { name: "Add to collections" });
  await collecting.getByLabel("Name of the collection").fill("My product shots");
  await collecting.getByRole("button", { name: "Create collection" }).click();
  await expect(collecting.getByLabel("My product shots")).toBeChecked();
  await expectAccessible(page);
  await collecting.getByRole("button", { name: "Close" }).click();
  await lightbox.getByRole("button", { name: "Use as input" }).click();
  const models = page.getByRole("listbox", { name: "Models" }).getByRole("option");
  await models.filter({ hasText: "Sandbox image" }).click();
  await expect(page).toHaveURL(/\/playground\?(file=.*&)?model=sandbox-image/);
  await expect(page.getByRole("list", { name: "image_input" }).getByRole("listitem")).toHaveCount(1);

  await page.goto(`${hub.url}${first}`);
  const star = page.getByRole("button", { name: "Favourite: sandbox-image" });
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await toggleStar(star);
  await expect(star).toHaveAttribute("aria-pressed", "false");
  await page.goto(`${hub.url}/generations?favourites=yes`);
  await expect(page.getByText("No favourites yet")).toBeVisible();

  await page.goto(`${hub.url}/generations?view=grid`);
  // The first tile is the batch.
  const second = (await tiles.nth(1).getByRole("link").getAttribute("href"))!;
  await tiles.nth(1).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Add to collection" }).click();
  await collecting.getByLabel("Name of the collection").fill("Still here");
  // Newer generations push the selected one off the page behind the dialog.
  expect(await queryHub(hub.dataDir, insertNewerSql, [second.split("/").at(-1)])).toHaveLength(20);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect(page.locator(`a[href="${second}"]`)).toHaveCount(0);
  await expect(collecting.getByLabel("Name of the collection")).toHaveValue("Still here");
  await collecting.getByLabel("My product shots").check();
  await expect(collecting.getByLabel("My product shots")).toBeChecked();
  await collecting.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Collections" }).click();
  const collection = page.getByRole("link", { name: /My product shots/ });
  await expect(collection).toContainText("2 generations");
  await collection.click();
  await expect(tiles).toHaveCount(2);
  await tiles.first().getByRole("checkbox").check();
  await page.getByRole("button", { name: "Remove from collection" }).click();
  await expect(tiles).toHaveCount(1);
  await expect(tiles.getByRole("link")).toHaveAttribute("href", first);
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name of the collection").fill("Harbours");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbours");
  await page.getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("alertdialog", { name: "Delete Harbours?" })
    .getByRole("button", { name: "Delete collection" })
    .click();
  await expect(page.getByText("No collections yet")).toBeVisible();
  await expectAccessible(page);
});
