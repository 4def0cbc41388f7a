import { readClipboard, signUp } from "./console";
import { expect, test } from "./journey";

test("a model can be found, priced and copied as a request", async ({ page, hub, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUp(page, hub.url, "/overview");
  await page.getByRole("link", { name: "Models", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Sandbox image" })).toContainText("from €0.0092");
  await page.getByRole("searchbox", { name: "Search models" }).fill("palette");
  await expect(page.getByRole("link", { name: "Sandbox trainer" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Sandbox image" })).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Search models" }).fill("nothing like it");
  await page.getByRole("button", { name: "Show all models" }).click();
  await expect(page.getByRole("searchbox", { name: "Search models" })).toHaveValue("");
  await page.getByRole("radio", { name: "Text" }).click();
  await expect(page).toHaveURL(`${hub.url}/models?makes=text`);
  await page.reload();
  await expect(page.getByRole("link", { name: "Sandbox image" })).toHaveCount(0);
  await page.getByRole("radio", { name: "All" }).click();

  await page.getByRole("link", { name: "Sandbox image" }).click();
  await expect(page.getByRole("heading", { name: "Sandbox image" })).toBeVisible();
  const calculator = page.getByRole("region", { name: "Price calculator" });
  await calculator.getByRole("radio", { name: "2k" }).click();
  await calculator.getByLabel("Generations").fill("1000");
  await expect(calculator.getByRole("status")).toContainText("€18.40");
  const call = page.getByRole("region", { name: "API call" });
  await call.getByRole("radio", { name: "Python" }).click();
  await call.getByRole("button", { name: "Copy code" }).click();
  await expect.poll(() => readClipboard(page)).toContain("requests.post");

  await page.goto(`${hub.url}/models/sandbox-embedding`);
  await expect(call.getByRole("radio", { name: "curl" })).toBeVisible();
  await expect(call).toContainText("/v1/embeddings");
  // The playground has no vectors.
  await expect(page.getByRole("link", { name: "Open in playground" })).toHaveCount(0);
});

test("a missing model links to the list", async ({ page, hub, consoleErrors }) => {
  await signUp(page, hub.url);
  await page.goto(`${hub.url}/models/none`);
  await expect(page.getByRole("heading", { name: "Model not found" })).toBeVisible();
  // The browser logs the missing page.
  expect(consoleErrors.filter((message) => !/404/.test(message))).toEqual([]);
  consoleErrors.length = 0;
  await page.getByRole("link", { name: "View all models" }).click();
  await expect(page).toHaveURL(`${hub.url}/models`);
});
