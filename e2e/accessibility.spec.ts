import type { Locator, Page, Route } from "@playwright/test";
import { createKey, expectHydrated, fillSignIn, press, requestKey, signInTo, signUp } from "./console";
import { expect, test } from "./journey";

/** Clicks outside an open dialog. */
const clickOutside = (page: Page) => page.mouse.click(5, 5);

test("a new secret and a typed text survive Escape and a click outside", async ({ page, hub }) => {
  await signUp(page, hub.url);
  // As on a page that another machine serves over plain http.
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto(`${hub.url}/keys`);
  const create = page.getByRole("button", { name: "Create key" }).first();
  const dialog = page.getByRole("dialog");
  const name = dialog.getByLabel("Name");
  await create.click();
  await expect(name).toBeFocused();
  await clickOutside(page);
  await expect(dialog).toHaveCount(0);

  await create.click();
  await name.fill("laptop");
  await clickOutside(page);
  await expect(name).toHaveValue("laptop");
  await dialog.getByLabel("Spend limit (EUR)").fill("-3");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Spend limit (EUR)")).toHaveAccessibleDescription("Enter 0.01 or more.");
  await expect(dialog.getByLabel("Spend limit (EUR)")).toBeFocused();
  await dialog.getByLabel("Spend limit (EUR)").clear();
  // The secret would be lost with the dialog.
  const pressEscape = async (route: Route) => {
    await page.keyboard.press("Escape");
    await route.continue();
  };
  await page.route("**/api/trpc/keys.create?*", pressEscape);
  await page.keyboard.press("Enter");

  const secret = (await dialog.getByLabel("New key").textContent())!;
  const copy = dialog.getByRole("button", { name: "Copy key" });
  await expect(copy).toBeFocused();
  await page.keyboard.press("Escape");
  await clickOutside(page);
  await expect(dialog.getByLabel("New key")).toHaveText(secret);
  await expect(dialog.getByRole("button", { name: "Close" })).toHaveCount(0);
  await copy.click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeFocused();
  await expect(page.locator("body > [aria-live]")).toHaveText("Copied");
  await dialog.getByRole("button", { name: "Done" }).click();

  await create.click();
  await page.keyboard.press("Control+V");
  await expect(name).toHaveValue(secret);
  await name.fill("phone");
  await page.keyboard.press("Enter");
  await page.evaluate(() => (document.execCommand = () => false));
  await copy.click();
  await expect(dialog.getByLabel("Press Ctrl+C to copy")).toBeFocused();
  await page.keyboard.press("Control+C");
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeFocused();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: /phone/ })).toBeVisible();
});

test("forms say what to enter, and the keyboard keeps its place", async ({ page, hub, consoleErrors }) => {
  await page.goto(`${hub.url}/sign-up`);
  const email = page.getByLabel("E-mail");
  const password = page.getByLabel("Password");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription("Enter your e-mail address.");
  await expect(password).toHaveAccessibleDescription(/^Enter a password\./);
  await email.fill(hub.demo.email);
  await expect(email).toHaveAccessibleDescription("");
  await password.fill("correct horse");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(email).toHaveAccessibleDescription("An account with this e-mail exists. Sign in?");
  await expect(email).toBeFocused();
  await page.getByRole("link", { name: "Sign in?" }).click();
  await expect(page).toHaveURL(/sign-in/);
  await fillSignIn(page, { ...hub.demo, password: "guess" });
  await expect(page.getByText("is wrong")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeFocused();
  // The browser logs the rejected requests.
  consoleErrors.length = 0;
  await fillSignIn(page, hub.demo);
  await expect(page).toHaveURL(`${hub.url}/overview`);

  await page.goto(`${hub.url}/keys`);
  await createKey(page, "soon revoked");
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused();
  await press(page.getByRole("button", { name: "Revoke soon revoked" }), "Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Active" })).toBeFocused();
  await page.goto(`${hub.url}/settings`);
  // Before that, the browser loads the next page itself, and focuses nothing.
  await expectHydrated(page);
  await page.getByRole("link", { name: "View sessions" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Sessions", level: 1 })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeFocused();
  await page.getByLabel("Current password").fill("guess");
  await page.getByLabel("New password").fill("another horse");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password")).toHaveAccessibleDescription("That’s not your current password.");
  await expect(page.getByLabel("Current password")).toBeFocused();
  consoleErrors.length = 0;
});

const optionOf = (page: Page, name: string) => page.locator("label", { has: page.getByRole("radio", { name }) });
const backgroundOf = (element: Locator) => element.evaluate((one) => getComputedStyle(one).backgroundColor);

test("forced colours show what is chosen, and reduced motion moves nothing", async ({ page, hub }) => {
  const person = await signUp(page, hub.url, "/overview", "somebody.with.a.very.long.address");
  const signOut = page.getByRole("button", { name: "Sign out", exact: true });
  const sidebar = (await page.getByRole("complementary").boundingBox())!;
  const button = (await signOut.boundingBox())!;
  expect(button.x + button.width).toBeLessThanOrEqual(sidebar.x + sidebar.width);
  await expect(page.getByTitle(person.email)).toBeVisible();

  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.goto(`${hub.url}/playground`);
  const pairs = [
    [optionOf(page, "System theme"), optionOf(page, "Dark")],
    [optionOf(page, "Generate"), optionOf(page, "Chat")],
    [page.getByRole("link", { name: "Playground" }), page.getByRole("link", { name: "Models", exact: true })],
  ] as const;
  for (const [chosen, other] of pairs) expect(await backgroundOf(chosen)).not.toBe(await backgroundOf(other));
  // What Tailwind animates is a placeholder or an unknown progress.
  const animation = await page.evaluate(() => {
    const bar = Object.assign(document.createElement("div"), { className: "bg-accent animate-pulse" });
    document.body.append(bar);
    const { animationName, backgroundColor } = getComputedStyle(bar);
    return { animationName, isFilled: backgroundColor !== getComputedStyle(document.body).backgroundColor };
  });
  expect(animation).toEqual({ animationName: "none", isFilled: true });
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("every touch target is 44 px high", async ({ page, hub }) => {
    const small: Record<string, string[]> = {};
    const measure = async (path: string) => {
      await page.goto(hub.url + path);
      small[path] = await findSmallTargets(page);
    };
    for (const path of ["/sign-in", "/sign-up"]) await measure(path);
    await signInTo(page, hub);
    const { key } = await requestKey(page, hub.url, "touched");
    const headers = { Authorization: `Bearer ${key}`, Prefer: "wait=30" };
    const data = { model: "sandbox-image", input: { prompt: "a harbour to touch" } };
    expect((await page.request.post(`${hub.url}/api/v1/hub/generations`, { headers, data })).status()).toBe(200);
    const pages = [
      "/keys",
      "/generations",
      "/balance",
      "/settings/sessions",
      "/overview",
      "/requests",
      "/models",
      "/docs",
    ];
    for (const path of [...pages, "/webhooks"]) await measure(path);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Menu" }).click();
    await expect(dialog).toBeVisible();
    small.menu = await findSmallTargets(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    await expect(dialog).toBeVisible();
    small.dialog = await findSmallTargets(page, "[role=dialog]");
    expect(small).toEqual(Object.fromEntries(Object.keys(small).map((path) => [path, []])));
  });
});

/** Returns the links and controls whose hit area is less than 44 px high, without links in running text. */
const findSmallTargets = (page: Page, within = "body") =>
  page.evaluate((root) => {
    const all = document.querySelectorAll<HTMLElement>(
      `${root} :is(a:not([href="#main"]), button, input, select, summary)`,
    );
    const isHit = (element: HTMLElement, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      return element.contains(hit) || (hit?.closest("label")?.control ?? null) === element;
    };
    return [...all]
      .filter((one) => one.checkVisibility() && !one.closest("p, [aria-hidden], nextjs-portal") && one.tabIndex >= 0)
      .filter((one) => {
        one.scrollIntoView({ block: "center", inline: "center" });
        const { left, top, width, height } = one.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const reach = (step: number) => {
          let at = 0;
          while (Math.abs(at) < 44 && isHit(one, x, y + at)) at += step;
          return Math.abs(at);
        };
        return width > 1 && reach(-1) + reach(1) < 44;
      })
      .map((one) => one.outerHTML.slice(0, 200));
  }, within);
