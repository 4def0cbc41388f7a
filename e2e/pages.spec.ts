import { failureCodes } from "../server/domain/generations/generation";
import { errorTable } from "../server/errors";
import { expect, test } from "./journey";

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("the first page says what this is and leads to the API", async ({ page, hub }) => {
      await page.goto(hub.url);
      await expect(page.getByRole("heading", { level: 1 })).toContainText("prepaid balance");
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [red = 0] = paper.match(/\d+/g)!.map(Number);
      expect(red > 127).toBe(colorScheme === "light");
      await page.getByRole("link", { name: "Read the API" }).click();
      await expect(page).toHaveURL(`${hub.url}/docs`);
      await expect(page.getByRole("heading", { level: 1, name: "API" })).toBeVisible();
    });

    test("the documentation shows every operation", async ({ page, hub, request }) => {
      const { paths } = (await (await request.get(`${hub.url}/api/v1/openapi.json`)).json()) as {
        paths: Record<string, object>;
      };
      await page.goto(`${hub.url}/docs`);
      const shown = await page.locator(".entry h3 code").allTextContents();
      expect(Object.keys(paths).length).toBeGreaterThan(5);
      for (const path of Object.keys(paths)) expect(shown).toContain(path);
    });
  });
}

test("a narrow window never scrolls sideways", async ({ page, hub }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  for (const path of ["/", "/docs", "/docs/quick-start", "/docs/webhooks", "/docs/hub/errors"]) {
    await page.goto(hub.url + path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
});

test("every error code has its anchor", async ({ page, hub }) => {
  await page.goto(`${hub.url}/docs/hub/errors`);
  for (const code of Object.keys(errorTable)) {
    await expect(page.locator(`#${code}`).getByRole("heading")).toContainText(code);
  }
  for (const code of failureCodes) {
    await expect(page.locator(`#failed-${code}`).getByRole("heading")).toContainText(code);
  }
});

test("every link inside the documentation leads somewhere", async ({ page, hub }) => {
  await page.goto(`${hub.url}/docs`);
  const dangling = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
      .map((link) => link.getAttribute("href")!)
      .filter((href) => !document.getElementById(href.slice(1))),
  );
  expect(dangling).toEqual([]);
});
