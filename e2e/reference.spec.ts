import type { Page } from "@playwright/test";
import { expectAccessible, signInTo } from "./console";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";

const operation = (page: Page, name: string) =>
  page.locator("section.entry").filter({ has: page.getByRole("heading", { level: 2, name, exact: true }) });

test("every operation is found by the filter, by the keyboard, and by its old address", async ({
  page,
  hub,
  request,
}) => {
  const { paths } = (await (await request.get(`${hub.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { summary: string; tags: string[] }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  await page.goto(`${hub.url}/docs`);
  const shown = await page.getByRole("search").getByRole("listitem").getByRole("link").allTextContents();
  for (const { summary } of operations) expect(shown.filter((text) => text.startsWith(summary))).not.toEqual([]);

  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Filter operations" });
  await expect(field).toBeFocused();
  await field.pressSequentially("rotate secret");
  await expect(page).toHaveURL(`${hub.url}/docs?q=rotate+secret`);
  expect(await (await request.get(page.url())).text()).not.toContain("Create a generation</span>");
  await field.press("Enter");
  await expect(page).toHaveURL(/\/docs\/api\/webhooks#post-api-v1-hub-webhooks-id-rotate-secret$/);
  await expect(operation(page, "Rotate a secret")).toBeInViewport();

  for (const [old, moved] of [
    ["get-api-v1-hub-events", "/docs/api/webhooks#get-api-v1-hub-events"],
    ["schema-Generation", "/docs/api/schemas#schema-Generation"],
  ] as const) {
    await page.goto(`${hub.url}/`);
    await page.goto(`${hub.url}/docs#${old}`);
    await expect(page).toHaveURL(hub.url + moved);
    await expect(page.locator(`[id="${old}"]`)).toBeInViewport();
  }
  const explorer = await request.get(`${hub.url}/docs/explorer`, { maxRedirects: 0 });
  expect({ status: explorer.status(), location: explorer.headers().location }).toEqual({
    status: 308,
    location: "/docs",
  });
});

test("an operation shows its programs, an example and its errors, and tells the price before it is sent", async ({
  page,
  hub,
}) => {
  await signInTo(page, hub);
  await page.goto(`${hub.url}/docs/api/generations`);
  const create = operation(page, "Create a generation");
  await page.getByRole("radio", { name: "Python" }).first().click();
  await expect(create.getByLabel("POST /api/v1/hub/generations in Python")).toContainText('"model": "sandbox-image"');
  await expect(create.getByLabel("Example response 202 of Create a generation")).toContainText('"status": "queued"');
  await expect(create.getByRole("link", { name: "insufficient_credits" })).toHaveAttribute(
    "href",
    "/docs/hub/errors#insufficient_credits",
  );

  await create.getByRole("button", { name: "Try it" }).click();
  const send = create.getByRole("button", { name: "Send POST" });
  const created: string[] = [];
  page.on("request", (one) => one.method() === "POST" && created.push(new URL(one.url()).pathname));
  await send.click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("€0.0092");
  expect(created).toEqual(["/api/trpc/keys.createTemporary", "/api/v1/hub/models/sandbox-image/pricing"]);
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(create.getByText(/^Response 202 in \d+ ms$/)).toBeVisible();
  await expect(create.getByLabel("Response body")).toContainText('"estimated_cost": 0.0092');
  await expect(create.getByText(/^"writes";r=\d+$/)).toBeVisible();
  expect(created.slice(2)).toEqual(["/api/v1/hub/generations"]);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))).not.toContain(
    "service_sk_",
  );

  // The key routes take the session, and do not list the temporary key.
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Keys", exact: true }).click();
  const list = operation(page, "List API keys");
  await list.getByRole("button", { name: "Try it" }).click();
  await list.getByRole("button", { name: "Send GET" }).click();
  await expect(list.getByText(/^Response 200 in/)).toBeVisible();
  await expect(list.getByLabel("Response body")).not.toContainText("API reference");
  const keysSql = "SELECT revoked_at IS NULL AS works FROM api_key WHERE is_temporary ORDER BY id DESC LIMIT 1";
  expect(await queryHub(hub.dataDir, keysSql)).toEqual([{ works: true }]);
  await page.goto("about:blank");
  await expect.poll(() => queryHub(hub.dataDir, keysSql)).toEqual([{ works: false }]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the contents unfold with large targets, and nothing is lost in forced colors", async ({ page, hub }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(`${hub.url}/docs/api/webhooks`);
    const contents = page.getByRole("navigation", { name: "Contents" });
    await contents.getByRole("button", { name: "Contents" }).click();
    const link = contents.getByRole("link", { name: "List events" });
    for (const target of [link, contents.getByRole("searchbox"), page.getByRole("link", { name: "Quick start" })])
      expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await link.click();
    const entry = operation(page, "List events");
    await expect(entry).toBeInViewport();
    await entry.getByRole("button", { name: "Try it" }).click();
    await expect(entry.getByLabel("API key")).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.locator("section.entry").evaluateAll((all) => all.slice(0, -2).forEach((one) => one.setAttribute("style", "display: none"))); // prettier-ignore
    await expectAccessible(page);
  });
});
