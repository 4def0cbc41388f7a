import { expectUsable, requestKey, signUp } from "./console";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";

test("a key is created by a deep link, tested, edited, paused, rotated and revoked", async ({ page, hub, request }) => {
  await signUp(page, hub.url);
  await page.goto(`${hub.url}/keys?new`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("server");
  await dialog.getByLabel("Models").selectOption("Only selected models");
  await dialog.getByRole("checkbox", { name: "sandbox-image" }).check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = (await dialog.getByLabel("New key").textContent())!;
  await dialog.getByRole("button", { name: "Test it" }).click();
  await expect(dialog.getByRole("status")).toHaveText("The key works. €0.00 available.");
  await dialog.getByRole("button", { name: /Done|I have saved it/ }).click();
  await expect(page).toHaveURL(`${hub.url}/keys`);

  await page.getByRole("link", { name: "server" }).click();
  await expect(page.getByRole("heading", { name: "server", level: 1 })).toBeVisible();
  const details = page.getByRole("region", { name: "Details" });
  await expect(details.getByRole("link", { name: "View generations" })).toHaveAttribute(
    "href",
    /^\/generations\?key=[\da-f-]{36}$/,
  );
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.getByLabel("Name").fill("worker");
  await settings.getByLabel("Spend limit (EUR)").fill("2.5");
  await settings.getByLabel("Resets").selectOption("Daily (UTC)");
  await settings.getByLabel("Expires").selectOption("In 7 days");
  await settings.getByLabel("Models").selectOption("All models");
  await settings.getByLabel("Requests per minute").fill("1000");
  await settings.getByLabel("Allowed IP addresses").fill("127.0.0.0/8, ::1");
  await settings.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Key updated.", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "worker", level: 1 })).toBeVisible();
  await expect(details).toContainText("€0.00 of €2.50");
  await expect(details).toContainText("in 6 days");
  await expect(details).toContainText("ModelsAll");
  await expect(details).toContainText("Requests per minute1,000");
  await expect(details).toContainText("Allowed IP addresses127.0.0.0/8, ::1");

  const status = async (key: string) =>
    (await request.get(`${hub.url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } })).status();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  expect(await status(secret)).toBe(401);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Paused", { exact: true })).toHaveCount(0);
  expect(await status(secret)).toBe(200);

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await dialog.getByLabel(/stays valid/).selectOption("For 1 hour");
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  const rotated = (await dialog.getByLabel("New key").textContent())!;
  await dialog.getByRole("button", { name: /Done|I have saved it/ }).click();
  await expect(details).toContainText(`${secret.slice(0, 17)}… works until`);
  expect([await status(secret), await status(rotated)]).toEqual([200, 200]);
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(settings).toHaveCount(0);
  expect([await status(secret), await status(rotated)]).toEqual([401, 401]);
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
});

test("a rejected request is found by key, error and id, and leads to its explanation", async ({
  page,
  hub,
  request,
}) => {
  await signUp(page, hub.url);
  await page.goto(`${hub.url}/requests`);
  await expect(page.getByRole("heading", { name: "No requests yet" })).toBeVisible();
  await expect(page.getByText("Rejected requests are kept for 7 days")).toBeVisible();
  const headers = { Authorization: `Bearer ${(await requestKey(page, hub.url, "script")).key}` };
  const generations = `${hub.url}/api/v1/hub/generations`;
  const data = { model: "sandbox-image", input: { prompt: "a pier" } };
  const broke = await request.post(generations, { headers, data });
  await request.get(`${generations}/unknown`, { headers });

  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  // The hub stores rejected requests within a second.
  await expect(async () => {
    await page.goto(`${hub.url}/requests`);
    await expect(rows).toHaveCount(2, { timeout: 1 });
  }).toPass();
  await page.getByLabel("Error").selectOption("insufficient_credits");
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(`${hub.url}/requests?code=insufficient_credits`);
  await expect(page.getByRole("radio", { name: "Rejected" })).toBeChecked();
  await expect(rows).toContainText("POST /api/v1/hub/generations");
  await expect(rows).toContainText("This costs 0.0092 EUR");
  await page.getByLabel("Error").selectOption("Any");
  await page.getByLabel("Request ID").fill(` ${broke.headers()["x-request-id"]} `);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("402");
  await page.getByRole("row").getByRole("link", { name: "script" }).click();
  await page.getByRole("link", { name: "2 in 7 days" }).click();
  await expect(page).toHaveURL(/\/requests\?show=rejected&key=/);
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Details of POST /api/v1/hub/generations" }).click();
  await expectUsable(page);
  await page.getByRole("link", { name: "insufficient_credits" }).click();
  await expect(page).toHaveURL(`${hub.url}/docs/hub/errors#insufficient_credits`);
});

test("many keys are searched, sorted and paged, and filter requests by a field that suggests them", async ({
  page,
  hub,
}) => {
  await signUp(page, hub.url);
  const { id } = await requestKey(page, hub.url, "app-0");
  await queryHub(
    hub.dataDir,
    `INSERT INTO api_key SELECT (json_populate_record(k, json_build_object(
       'id', gen_random_uuid(), 'name', 'app-' || n, 'hash', sha256(n::text::bytea || k.hash), 'created_at', k.created_at - n * interval '1 day'
     ))).* FROM api_key k, generate_series(1, 59) n WHERE k.id = $1`,
    [id],
  );
  await page.goto(`${hub.url}/keys`);
  const rows = page.getByRole("table", { name: "Active keys" }).locator("tbody").getByRole("row");
  for (const [name, count] of [
    ["app-0", 25],
    ["app-25", 25],
    ["app-50", 10],
  ] as const) {
    await expect(rows).toHaveCount(count);
    await expect(rows.first()).toContainText(name);
    if (count === 25) await page.getByRole("button", { name: "Next" }).click();
  }
  await rows.first().getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("app-50");
  await page.goBack();
  await expect(rows).toHaveCount(10);
  // Pages end when their keys are revoked.
  await page.goto(`${hub.url}/keys?cursor=3`);
  await expect(rows).toHaveCount(10);
  await page.getByLabel("Search API keys").fill("app-4");
  await expect(rows).toHaveCount(11);
  await page.getByLabel("Sort").selectOption("Name");
  await expect(rows.nth(1)).toContainText("app-40");
  await expectUsable(page);

  await page.goto(`${hub.url}/requests`);
  const key = page.getByRole("combobox", { name: "Key" });
  const label = await page.locator("datalist option").nth(7).getAttribute("value");
  await key.fill(label!);
  await expect(page).toHaveURL(/\?key=[\da-f-]{36}$/);
  await key.fill("");
  await expect(page).toHaveURL(`${hub.url}/requests`);
});
