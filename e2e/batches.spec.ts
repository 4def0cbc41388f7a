import { expectAccessible, expectUsable, press, signInTo } from "./console";
import { expect, test } from "./journey";

const csv = (text: string) => ({ name: "prompts.csv", mimeType: "text/csv", buffer: Buffer.from(text) });

test("a CSV becomes a batch whose generations appear live, and one row of the list", async ({ page, hub }) => {
  await signInTo(page, hub, "/playground");
  await press(page.getByRole("button", { name: "Run a CSV" }), "Enter");
  const dialog = page.getByRole("dialog", { name: "Run a CSV" });
  const choose = async (text: string) => {
    const chooser = page.waitForEvent("filechooser");
    await dialog.getByRole("button", { name: "Choose a file" }).click();
    await (await chooser).setFiles(csv(text));
  };
  await choose("prompt,resolution\na pier,huge\n");
  await expect(dialog.getByRole("alert")).toContainText("Line 2: resolution must be");
  await expectAccessible(page);
  await choose("prompt,note\na pier of the batch,x\n[fail] a boat,\n[slow:3] a gull,\n");
  await expect(dialog.getByRole("status").first()).toContainText("3 rows with prompt");
  await dialog.getByRole("button", { name: "Run 3 · €0.0276" }).press("Enter");

  await expect(page.getByRole("heading", { name: "Batch of 3 generations" })).toBeVisible();
  const progress = page.getByRole("region", { name: "Progress" });
  await expect(progress).toContainText("3 of 3, 1 failed", { timeout: 20_000 });
  await expect(page.getByText("Completed", { exact: true })).toBeVisible();
  const tiles = page.getByRole("list", { name: "Generations" }).getByRole("listitem");
  await expect(tiles).toHaveCount(3);
  await expect(page.getByRole("region", { name: "Cost" })).toContainText("Billed€0.0184");
  await page.getByLabel("Status").selectOption("Failed");
  await expect(tiles).toHaveCount(1);
  await tiles.getByRole("link").click();
  await page.getByRole("link", { name: "View batch" }).click();
  await page.getByRole("link", { name: "Batches", exact: true }).first().click();
  await expect(page.getByRole("row", { name: /sandbox-image.*Completed/ }).first()).toContainText("3 of 3");

  await page.goto(`${hub.url}/generations`);
  await page.getByRole("row", { name: /Batch of 3/ }).getByRole("link").first().click(); // prettier-ignore
  await expect(page.getByRole("heading", { name: "Batch of 3 generations" })).toBeVisible();
});

test("a form runs four times, and what waits is canceled", async ({ page, hub }) => {
  await signInTo(page, hub, "/playground?model=sandbox-image");
  await page.getByLabel("prompt *").fill("four piers");
  await page.getByPlaceholder("https://… or sha256:…").fill(`sha256:${"cd".repeat(32)}`);
  await page.getByPlaceholder("https://… or sha256:…").press("Enter");
  const started = page.waitForRequest(/batches\.create/);
  await page.getByRole("button", { name: "Run 4× · €0.0368" }).click();
  // It costs no more than the button says, whatever has happened to the price.
  expect((await started).postData()).toContain('"max_cost":0.0368');
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("listitem")).toHaveCount(4);
  await expectUsable(page);
  await result.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel batch" }).click();
  await expect(result.getByRole("status").first()).toHaveText("Canceled");
  await expect(result).toContainText("Charged €0.00");
});
